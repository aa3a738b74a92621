import { readEvents } from '../../scripts/fuzz/read-events.ts';

const scenario = (checks: object, response: object | null) => ({
  ScenarioFinished: {
    recorder: {
      label: 'POST /api/v1/messages',
      cases: { a: {} },
      checks: { a: [checks] },
      interactions: { a: { response } },
    },
  },
});
const passed = scenario({ name: 'x', status: 'success' }, { status_code: 202, headers: {} });
const failed = scenario(
  { name: 'not_a_server_error', status: 'failure', failure_info: { failure: { title: 'Server error' } } },
  { status_code: 500, headers: { 'x-request-id': ['r1'] } },
);
const broken = { NonFatalError: { label: 'GET /a', value: { type: 'ConnectionError', message: 'reset' } } };
const ownFault = { NonFatalError: { label: 'GET /a', value: { type: 'Unsatisfiable', message: 'filter' } } };
const end = { EngineFinished: {} };

// prettier-ignore
const runs: [name: string, events: object[], findings: number, toolErrors: number, isComplete: boolean][] = [
  ['responses that fit', [passed, passed, end], 0, 0, true],
  ['a 500', [passed, failed, end], 1, 0, true],
  ['a connection that breaks', [broken, end], 1, 0, true],
  ['a fault of Schemathesis', [passed, ownFault, end], 0, 1, true],
  ['a crash of Schemathesis', [passed, { FatalError: { exception: 'KeyError' } }], 0, 1, false],
  ['a run that was killed', [passed], 0, 0, false],
];

test.each(runs)(
  '%s: findings are told apart from faults of the tool',
  (_name, events, findings, toolErrors, isComplete) => {
    const report = readEvents(`${events.map((event) => JSON.stringify(event)).join('\n')}\n{"Scen`);
    expect({
      findings: report.findings.length,
      toolErrors: report.toolErrors.length,
      isComplete: report.isComplete,
    }).toEqual({ findings, toolErrors, isComplete });
  },
);

test('requests and statuses are counted, and a finding names its operation, status and request', () => {
  const report = readEvents([passed, failed].map((event) => JSON.stringify(event)).join('\n'));
  expect([...report.cases]).toEqual([['POST /api/v1/messages', 2]]);
  expect([...report.statuses]).toEqual([
    [202, 1],
    [500, 1],
  ]);
  expect(report.findings[0]).toMatch(/^POST \/api\/v1\/messages: not_a_server_error, status 500, request r1/);
});

/** What one run of Schemathesis did, from the events that it writes (NDJSON). */
export interface FuzzReport {
  /** The number of requests, by operation (`POST /api/v1/messages`). */
  cases: Map<string, number>;
  /** The number of responses, by status. */
  statuses: Map<number, number>;
  /** Responses that break the contract, and requests without a response. */
  findings: string[];
  /** Where Schemathesis itself failed: these say nothing about the service. */
  toolErrors: string[];
  /** Whether it came to its end. */
  isComplete: boolean;
}

interface Check {
  name: string;
  status: string;
  failure_info?: { failure?: { title?: string; message?: string }; code_sample?: string };
}

interface Scenario {
  recorder: {
    label: string;
    cases?: Record<string, unknown>;
    checks?: Record<string, Check[]>;
    interactions?: Record<string, { request?: { method: string; uri: string }; response?: Answer | null }>;
  };
}

interface Answer {
  status_code: number;
  headers: Record<string, string[]>;
}

interface NonFatal {
  label: string;
  value?: unknown;
}

/** Errors of the connection: the service ended it, or did not answer. They are findings, although no check failed. */
const brokenConnection =
  /ConnectionError|ConnectionReset|ReadTimeout|ChunkedEncodingError|RemoteDisconnected/;

/** Reads the events of a run. A last line that is not whole, of a run that was killed, is left out. */
export function readEvents(ndjson: string): FuzzReport {
  const report: FuzzReport = {
    cases: new Map(),
    statuses: new Map(),
    findings: [],
    toolErrors: [],
    isComplete: false,
  };
  for (const line of ndjson.split('\n')) {
    const event = parseLine(line);
    if (event === undefined) continue;
    if (event['ScenarioFinished'] !== undefined) readScenario(report, event['ScenarioFinished'] as Scenario);
    else if (event['NonFatalError'] !== undefined) readError(report, event['NonFatalError'] as NonFatal);
    else if (event['FatalError'] !== undefined) report.toolErrors.push(brief(event['FatalError']));
    else if (event['EngineFinished'] !== undefined) report.isComplete = true;
  }
  return report;
}

function parseLine(line: string): Record<string, unknown> | undefined {
  if (line === '') return undefined;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function readScenario(report: FuzzReport, { recorder }: Scenario): void {
  const { label, cases = {}, checks = {}, interactions = {} } = recorder;
  report.cases.set(label, (report.cases.get(label) ?? 0) + Object.keys(cases).length);
  for (const { response } of Object.values(interactions)) {
    if (response)
      report.statuses.set(response.status_code, (report.statuses.get(response.status_code) ?? 0) + 1);
  }
  for (const [id, ofCase] of Object.entries(checks)) {
    for (const check of ofCase.filter(({ status }) => status === 'failure')) {
      const { failure, code_sample: command } = check.failure_info ?? {};
      const answer = interactions[id]?.response;
      const requestId = answer?.headers['x-request-id']?.[0];
      report.findings.push(
        [
          `${label}: ${check.name}, status ${answer?.status_code ?? 'none'}, request ${requestId ?? '-'}`,
          `${failure?.title ?? ''}: ${failure?.message ?? ''}`,
          command ?? '',
        ].join('\n    '),
      );
    }
  }
}

function readError(report: FuzzReport, { label, value }: NonFatal): void {
  const text = brief(value);
  const list = brokenConnection.test(text) ? report.findings : report.toolErrors;
  list.push(`${label}: ${text}`);
}

function brief(value: unknown): string {
  return (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 600);
}

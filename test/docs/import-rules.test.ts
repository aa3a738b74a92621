import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

// One import a case, each in a project that has nothing but the lint configuration and these files.
const cases: [file: string, imported: string, verdict: 'allowed' | 'refused'][] = [
  ['src/messages/a.ts', '../webhooks/make-webhook.ts', 'allowed'],
  ['src/messages/a.ts', '../http/docs-routes.ts', 'allowed'],
  ['src/messages/a.ts', './routes.ts', 'allowed'],
  ['src/messages/a.ts', '../webhooks/routes.ts', 'refused'],
  ['src/messages/a.ts', '../../workflows/contract.ts', 'allowed'],
  ['src/messages/a.ts', '../../workflows/index.ts', 'refused'],
  ['src/messages/a.ts', '../../workflows/send-messages.ts', 'refused'],
  ['src/messages/a.ts', '../../activities/index.ts', 'refused'],
  ['src/messages/a.ts', '../../test/helpers/api.ts', 'refused'],
  ['src/messages/a.ts', '../../scripts/start.ts', 'refused'],
  ['src/messages/a.ts', '../../client/src/index.ts', 'refused'],
  ['src/messages/a.ts', 'sms-service-client', 'refused'],
  ['src/messages/a.ts', '../../chaos/plan.ts', 'refused'],
  ['src/app.ts', './messages/routes.ts', 'allowed'],
  ['src/app.ts', '../activities/index.ts', 'refused'],
  ['src/dispatches/a.ts', '../database.ts', 'allowed'],
  ['src/dispatches/a.ts', '../messages/message-rows.ts', 'refused'],
  ['src/dispatches/a.ts', 'type ../messages/message.entity.ts', 'refused'],
  ['src/dispatches/a.ts', '../../workflows/contract.ts', 'allowed'],
  ['src/dispatches/a.ts', '../../workflows/index.ts', 'refused'],
  ['src/dispatches/a.ts', '../../test/helpers/api.ts', 'refused'],
  ['src/worker.ts', '../activities/index.ts', 'allowed'],
  ['src/worker.ts', '../workflows/contract.ts', 'allowed'],
  ['src/worker.ts', '../workflows/index.ts', 'refused'],
  ['src/worker.ts', './messages/routes.ts', 'refused'],
  ['workflows/a.ts', '@temporalio/workflow', 'allowed'],
  ['workflows/a.ts', './contract.ts', 'allowed'],
  ['workflows/a.ts', 'type ../activities/index.ts', 'allowed'],
  ['workflows/a.ts', '../activities/index.ts', 'refused'],
  ['workflows/a.ts', '../src/config.ts', 'refused'],
  ['workflows/a.ts', 'type ../src/config.ts', 'refused'],
  ['workflows/a.ts', '@temporalio/client', 'refused'],
  ['workflows/a.ts', 'node:fs', 'refused'],
  ['workflows/a.ts', 'kysely', 'refused'],
  ['activities/a.ts', '../src/messages/send-message.ts', 'allowed'],
  ['activities/a.ts', '../workflows/contract.ts', 'allowed'],
  ['activities/a.ts', '../workflows/index.ts', 'refused'],
  ['activities/a.ts', '../src/messages/routes.ts', 'refused'],
  ['activities/a.ts', '../test/helpers/api.ts', 'refused'],
  ['scripts/a.ts', '../src/config.ts', 'allowed'],
  ['scripts/a.ts', './test.ts', 'allowed'],
  ['scripts/a.ts', '../test/helpers/api.ts', 'refused'],
  ['scripts/a.ts', '../activities/index.ts', 'refused'],
  ['scripts/a.ts', '../src/messages/routes.ts', 'refused'],
  ['bench/a.ts', '../test/helpers/api.ts', 'refused'],
  ['cli/src/a.ts', './command.ts', 'allowed'],
  ['cli/src/a.ts', 'sms-service-client', 'allowed'],
  ['cli/src/a.ts', '../../client/src/index.ts', 'refused'],
  ['cli/src/a.ts', '../../src/config.ts', 'refused'],
  ['cli/src/commands/a.ts', '../doctor/finding.ts', 'allowed'],
  ['cli/src/commands/a.ts', '../../../scripts/doctor.ts', 'refused'],
  ['chaos/a.ts', '../test/helpers/api.ts', 'refused'],
  ['migrations/a.ts', '../test/helpers/api.ts', 'refused'],
  ['client/src/a.ts', './errors.ts', 'allowed'],
  ['client/src/generated/a.ts', '../errors.ts', 'allowed'],
  ['client/src/a.ts', '../../src/errors.ts', 'refused'],
  ['client/src/a.ts', 'type ../../src/errors.ts', 'refused'],
  ['client/src/a.ts', 'node:crypto', 'refused'],
  ['client/src/a.ts', 'undici', 'refused'],
  ['bench/a.ts', '../client/src/index.ts', 'allowed'],
  ['test/client/a.test.ts', '../../client/src/index.ts', 'allowed'],
  ['console/src/a.ts', './api.ts', 'allowed'],
  ['console/src/a.ts', 'sms-service-client', 'allowed'],
  ['console/src/a.ts', '../../scripts/start.ts', 'refused'],
  ['console/src/features/messages/a.ts', '../../../../src/messages/segments.ts', 'allowed'],
  ['console/src/features/contacts/a.ts', '../../../../src/contacts/read-column.ts', 'allowed'],
  ['console/src/features/templates/a.ts', '../../../../src/templates/merge-fields.ts', 'allowed'],
  ['console/src/features/messages/a.ts', '../../../../src/errors.ts', 'refused'],
  ['test/messages/a.test.ts', '../helpers/api.ts', 'allowed'],
  ['test/messages/a.test.ts', '../../activities/index.ts', 'allowed'],
];

let project: string;
let refused: Set<string>;

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'import-rules-'));
  // Imports are looked at as they are written, so no types are needed, nor the files that are imported.
  const configuration = readFileSync('.oxlintrc.json', 'utf8').replace(
    '"typeAware": true',
    '"typeAware": false',
  );
  writeFileSync(join(project, '.oxlintrc.json'), configuration);
  for (const file of new Set(cases.map(([name]) => name))) {
    mkdirSync(dirname(join(project, file)), { recursive: true });
    writeFileSync(join(project, file), importsOf(file).map(statement).join('\n'));
  }
  const oxlint = resolve('node_modules/.bin/oxlint');
  const { stdout } = spawnSync(oxlint, ['--format=unix', '.'], { cwd: project, encoding: 'utf8' });
  const findings = [...stdout.matchAll(/^(.+?):(\d+):\d+: .*no-restricted-imports/gm)];
  refused = new Set(findings.map(([, file, line]) => `${file}:${line}`));
});
afterAll(() => rmSync(project, { recursive: true }));

test.each(cases)('%s that imports %s is %s', (file, imported, verdict) => {
  const line = importsOf(file).indexOf(imported) + 1;
  expect(refused.has(`${file}:${line}`) ? 'refused' : 'allowed').toBe(verdict);
});

function importsOf(file: string): string[] {
  return cases.filter(([name]) => name === file).map(([, imported]) => imported);
}

function statement(imported: string, index: number): string {
  const type = imported.startsWith('type ') ? 'type ' : '';
  return `import ${type}{ thing as thing${index} } from '${imported.slice(type.length)}';`;
}

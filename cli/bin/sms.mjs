#!/usr/bin/env node
// The command `sms`. The published package has dist/. The repository has src/ instead, so that nothing must be built
// after `npm ci`: the Node that it installs runs TypeScript. Built-in modules of Node 20 only.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../src/main.ts', import.meta.url));

if (existsSync(source)) runSource();
else await import('../dist/main.js');

function runSource() {
  const node = fileURLToPath(new URL('../../node_modules/node/bin/node', import.meta.url));
  if (!existsSync(node)) {
    console.error('The dependencies are not installed: run `npm ci` in the repository.');
    process.exit(1);
  }
  const options = ['--conditions=sms-service-source', '--disable-warning=ExperimentalWarning'];
  const child = spawn(node, [...options, source, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both processes; the command treats signals that arrive together as one.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', ({ message }) => {
    console.error(`Cannot run ${node}: ${message}`);
    process.exit(1);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

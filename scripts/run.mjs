// node scripts/run.mjs [ENTRY [ARGUMENTS]]
//
// The first step of every command that must work on a bare clone: installs the locked dependencies when they
// are missing or older than package-lock.json, then runs ENTRY with the Node that came with them. Without an
// ENTRY it only installs. Built-ins only, and only what Node 20 has.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { releaseLock, takeLock } from './embedded/process-record.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const modules = join(root, 'node_modules');
const binaries = join(modules, '.bin');
const ownNode = join(binaries, 'node');
const installLock = join(root, '.cache', 'install.lock');
const oldestNodeMajor = 20;

let child;
let stopSignal;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  // A terminal's Ctrl-C also reaches the child directly, and npm passes it on once more: an ENTRY must take
  // signals that come together as one.
  process.on(signal, () => {
    stopSignal = signal;
    child?.kill(signal);
  });
}

if (Number.parseInt(process.versions.node, 10) < oldestNodeMajor) {
  fail(`Node ${process.versions.node} is too old: install Node ${oldestNodeMajor} or newer.`);
}
await install();
const [entry, ...entryArguments] = process.argv.slice(2);
if (entry !== undefined) {
  stopWithNpm();
  const environment = { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}` };
  const outcome = await run(ownNode, [entry, ...entryArguments], environment, [
    'inherit',
    'inherit',
    'inherit',
    'ipc',
  ]);
  process.exit(outcome);
}

async function install() {
  if (isInstalled()) return;
  let announced = false;
  for (let holder = takeLock(installLock); holder !== undefined; holder = takeLock(installLock)) {
    if (!announced) console.log(`Waiting for the installation that process ${holder} is running.`);
    announced = true;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  try {
    if (isInstalled()) return;
    await installLocked();
  } finally {
    releaseLock(installLock);
  }
}

async function installLocked() {
  console.log('Installing the locked dependencies (npm ci); this takes up to a few minutes, once.');
  const startedAt = Date.now();
  const progress = setInterval(() => {
    console.log(`Still installing, ${Math.round((Date.now() - startedAt) / 1000)} s so far.`);
  }, 10_000);
  // Without the Node that is about to be replaced on the PATH; errors are shown, notes about engines are not.
  const path = (process.env.PATH ?? '')
    .split(delimiter)
    .filter((directory) => !directory.startsWith(modules));
  const code = await run(
    'npm',
    [
      'ci',
      '--include=dev',
      '--include=optional',
      '--no-audit',
      '--no-fund',
      '--no-progress',
      '--loglevel=error',
    ],
    { ...process.env, PATH: path.join(delimiter), npm_config_update_notifier: 'false' },
    ['ignore', 'inherit', 'inherit'],
  ).finally(() => clearInterval(progress));
  if (code !== 0) {
    fail(
      `npm ci failed (exit code ${code}); its message is above. Check that the package registry can be reached.`,
      code,
    );
  }
  if (!isInstalled()) {
    fail(
      `npm ci ended well but ${ownNode} is missing. If npm is set to ignore install scripts, run:\n` +
        '  npm ci --include=dev --ignore-scripts=false',
    );
  }
}

/**
 * Whether node_modules holds what package-lock.json says. npm writes its own record (.package-lock.json) at
 * the very end of an installation, so one that was cut short has none, and one made by hand counts as well.
 */
function isInstalled() {
  try {
    const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
    const installed = JSON.parse(readFileSync(join(modules, '.package-lock.json'), 'utf8')).packages;
    const isSame = ([path, wanted]) =>
      installed[path] === undefined
        ? path === '' || wanted.optional === true || wanted.devOptional === true
        : installed[path].version === wanted.version && installed[path].integrity === wanted.integrity;
    return existsSync(ownNode) && Object.entries(locked).every(isSame);
  } catch {
    return false;
  }
}

// When npm itself is killed it cannot pass anything on, so its end is noticed here.
function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm) child?.kill('SIGTERM');
  }, 1000).unref();
}

/** Runs a command to its end and gives its exit code, by the shell's rule 128 + n for a signal. */
function run(command, commandArguments, environment, stdio) {
  return new Promise((resolve) => {
    child = spawn(command, commandArguments, { cwd: root, env: environment, stdio });
    child.on('error', (error) => fail(`Cannot run ${command}: ${error.message}`));
    child.on('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal]));
    if (stopSignal !== undefined) child.kill(stopSignal);
  });
}

function fail(message, code = 1) {
  console.error(message);
  releaseLock(installLock);
  process.exit(code);
}

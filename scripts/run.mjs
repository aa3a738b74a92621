// node scripts/run.mjs [ENTRY [ARGUMENTS]]
//
// The first step of every command that must work on a fresh clone. It installs the locked dependencies if they are
// missing or differ from package-lock.json, and then runs ENTRY with the installed Node. Without an ENTRY it only
// installs. It uses only built-in modules, and only features of Node 20.
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
  // A terminal's Ctrl-C also reaches the child directly, and npm forwards it once more. An ENTRY must therefore treat
  // signals that arrive together as one.
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
  const environment = {
    // Node keeps what it has compiled: to load the API then takes half of the processor time.
    NODE_COMPILE_CACHE: join(root, '.cache', 'compile'),
    ...process.env,
    PATH: `${binaries}${delimiter}${process.env.PATH ?? ''}`,
  };
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
    if (!announced) console.log(`Waiting for process ${holder}, which is installing the dependencies.`);
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
  // The PATH excludes the Node that is being replaced. The log level shows errors but no notes about engines.
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
      `npm ci failed (exit code ${code}); its message is above. Check that the package registry is reachable.`,
      code,
    );
  }
  if (!isInstalled()) {
    fail(
      `npm ci succeeded but ${ownNode} is missing. If npm is configured to ignore install scripts, run:\n` +
        '  npm ci --include=dev --ignore-scripts=false',
    );
  }
}

/**
 * Whether node_modules matches package-lock.json. npm writes its own record (.package-lock.json) at the very end of
 * an installation. An interrupted installation therefore has no record, and a manual installation has one.
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

// A killed npm cannot forward a signal, so its end is detected here.
function stopWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const npm = process.ppid;
  setInterval(() => {
    if (process.ppid !== npm) child?.kill('SIGTERM');
  }, 1000).unref();
}

/** Runs a command until it exits. Returns its exit code; for a signal this is 128 + n, as in the shell. */
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

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Finding } from './finding.ts';

/** The checks of what the service needs. Only the repository has them: they use the code of the service. */
const program = fileURLToPath(new URL('../../../scripts/doctor.ts', import.meta.url));

/** Runs these checks in a process of their own, if this is the repository. */
export async function* checkRepository(
  environment: NodeJS.ProcessEnv,
  signal: AbortSignal,
): AsyncGenerator<Finding> {
  // The published package could stand in a directory that has a program of this name.
  if (!import.meta.url.endsWith('.ts') || !existsSync(program)) return;
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    ...{ env: environment, signal, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  const ended = once(child, 'exit');
  // Awaited below; without this, an abort while lines are read would be an unhandled rejection.
  ended.catch(() => undefined);
  for await (const line of createInterface({ input: child.stdout })) yield JSON.parse(line) as Finding;
  signal.throwIfAborted();
  const [code] = (await ended) as [number | null];
  if (code !== 0) {
    yield {
      check: 'repository',
      outcome: 'failed',
      detail: `The checks broke off: ${errors.trim() || `exit code ${code}`}`,
    };
  }
}

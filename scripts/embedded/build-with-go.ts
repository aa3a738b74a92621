import { showProgress, findProgram, type Progress } from './cache.ts';
import { runProcess } from './managed-process.ts';

const buildTimeoutSeconds = 1800;

/**
 * Builds commands with Go (`go install`), each into a file that has the last name of its package.
 *
 * @param options.packages the commands with their version, for example `example.org/module/command@v1.2.3`. Go accepts
 *   several only if they are of one module and version.
 * @param options.directory receives the files
 * @param options.doing what is printed while it builds
 * @throws Error with the reason, if Go is missing or refuses
 */
export async function buildWithGo(options: {
  packages: string[];
  directory: string;
  doing: string;
  progress: Progress;
}): Promise<void> {
  const { packages, directory, doing, progress } = options;
  // The second place is the path of Go's own installer, which is not on every PATH.
  const go = findProgram('go', ['/usr/local/go/bin']);
  if (go === undefined) throw new Error('go, to build it: not on the PATH');
  const build = runProcess({
    name: 'go install',
    command: go,
    arguments: ['install', '-trimpath', '-ldflags=-s -w', ...packages],
    workingDirectory: directory,
    environment: { ...process.env, GOBIN: directory, CGO_ENABLED: '0' },
    timeoutSeconds: buildTimeoutSeconds,
  });
  const { code, tail } = await showProgress(progress, doing, build);
  if (code !== 0) throw new Error(`go install ${packages.join(' ')}: ${tail || 'it failed'}`);
}

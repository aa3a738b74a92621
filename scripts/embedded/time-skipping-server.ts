import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fillCache, findProgram, showProgress, type Progress } from './cache.ts';
import { messageOf } from './errors.ts';
import { runProcess } from './managed-process.ts';
import { downloadWithSdk } from './sdk-download.ts';

const serverVersion = '1.38.0';
const executableName = 'temporal-test-server';
const copyGoal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
const mavenTimeoutSeconds = 900;

const projectFile = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>local</groupId>
  <artifactId>classpath</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>${serverVersion}</version>
    </dependency>
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-nop</artifactId>
      <version>1.7.36</version>
    </dependency>
  </dependencies>
</project>
`;

// The SDK runs it with the port as its only argument and ends it by SIGKILL, so Java replaces this shell. A loop in the
// background ends Java if the process that started it died without doing so, for example in a killed test run. The heap
// is small and the compiler quick, because a server lives only as long as one test file.
//
// Without --enable-time-skipping: the SDK expects time to stand still until a test waits for a result or calls `sleep`.
// With the flag, time skips from the start, and the first `sleep` counts twice (the server fails with "Unbalanced lock
// and unlock calls" after the sleep, and the SDK repeats the call).
const wrapper = `#!/bin/sh
here=$(dirname "$0")
parent=$PPID
(
  while kill -0 "$parent" && kill -0 $$; do sleep 1; done
  kill -s KILL $$
) </dev/null >/dev/null 2>&1 &
exec java -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$here/lib/*" \\
  io.temporal.testserver.TestServer "$@"
`;

/**
 * Obtains the time-skipping test server: from TEMPORAL_TEST_SERVER, from the cache, by the SDK's download, or from
 * Maven, in this order.
 *
 * @param options.cacheDir the project's `.cache`
 * @returns a path for `createTimeSkipping({ server: { executable: { type: 'existing-path', path } } })`
 * @throws Error that lists every way and why it failed
 */
export async function findTimeSkippingServer(options: {
  cacheDir: string;
  progress: Progress;
}): Promise<string> {
  const { cacheDir, progress } = options;
  const given = process.env.TEMPORAL_TEST_SERVER;
  if (given !== undefined && given !== '') {
    if (existsSync(given)) return given;
    throw new Error(`TEMPORAL_TEST_SERVER names ${given}, which does not exist.`);
  }
  const failures: string[] = [];
  const obtain = async (directory: string): Promise<void> => {
    const download = downloadWithSdk(executableName, `v${serverVersion}`, directory);
    try {
      await showProgress(progress, `Downloading the time-skipping test server ${serverVersion}`, download);
      return;
    } catch (error) {
      failures.push(`its download (temporal.download): ${messageOf(error)}`);
    }
    await copyFromMaven(directory, progress, failures);
  };
  const directory = await fillCache(cacheDir, `${executableName}-${serverVersion}`, progress, obtain);
  const path = join(directory, executableName);
  if (existsSync(join(directory, 'lib'))) writeWrapper(path);
  return path;
}

// Runs at every start, so that a cache from an older checkout gets changes of the wrapper.
function writeWrapper(path: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === wrapper) return;
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, wrapper, { mode: 0o755 });
  renameSync(draft, path);
}

async function copyFromMaven(directory: string, progress: Progress, failures: string[]): Promise<void> {
  const missing = ['mvn', 'java'].filter((program) => findProgram(program) === undefined);
  if (missing.length > 0) {
    failures.push(`Maven and Java: ${missing.join(' and ')} not on the PATH`);
    throw new Error(describeFailures(failures));
  }
  const pom = join(directory, 'pom.xml');
  writeFileSync(pom, projectFile);
  const copy = runProcess({
    name: 'mvn',
    command: 'mvn',
    arguments: [
      '-B',
      '-q',
      '-f',
      pom,
      copyGoal,
      '-DincludeScope=runtime',
      `-DoutputDirectory=${join(directory, 'lib')}`,
    ],
    workingDirectory: directory,
    timeoutSeconds: mavenTimeoutSeconds,
  });
  const doing = `Fetching the time-skipping test server ${serverVersion} with Maven (under a minute, once)`;
  const { code, tail } = await showProgress(progress, doing, copy);
  if (code !== 0 || !existsSync(join(directory, 'lib', `${executableName}-${serverVersion}.jar`))) {
    failures.push(`Maven (io.temporal:${executableName}:${serverVersion}): ${tail || 'it failed'}`);
    throw new Error(describeFailures(failures));
  }
  rmSync(pom);
}

function describeFailures(failures: string[]): string {
  return [
    'No time-skipping test server was found. Tried, in this order:',
    '  - TEMPORAL_TEST_SERVER: not set',
    "  - the project's cache (.cache): not found",
    ...failures.map((failure) => `  - ${failure}`),
    'Set TEMPORAL_TEST_SERVER to the path of a server, or install Java and Maven.',
  ].join('\n');
}

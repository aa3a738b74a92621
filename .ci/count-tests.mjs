// Counts the tests of one or two runs of jest. The second run holds the files that failed in the first run, each alone.
//
//   node .ci/count-tests.mjs failed-files FIRST.json          prints the files that failed, one per line
//   node .ci/count-tests.mjs count FIRST.json [SECOND.json]   prints "PASSED FAILED SKIPPED"; names on standard error
//                                                             the tests that passed in the second run only
import { existsSync, readFileSync } from 'node:fs';

const [command, ...paths] = process.argv.slice(2);
const runs = paths.filter((path) => existsSync(path)).map((path) => JSON.parse(readFileSync(path, 'utf8')));
if (runs.length === 0) process.exit(1);

if (command === 'failed-files') {
  for (const file of runs[0].testResults) if (file.status === 'failed') console.log(file.name);
} else {
  const last = new Map(runs.flatMap((run) => run.testResults.map((file) => [file.name, file])));
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { status, assertionResults } of last.values()) {
    const failures = assertionResults.filter((test) => test.status === 'failed').length;
    counts.passed += assertionResults.filter((test) => test.status === 'passed').length;
    // A file that cannot be loaded, or whose set-up fails, has no failed test, and counts as one.
    counts.failed += status === 'failed' ? Math.max(failures, 1) : failures;
    counts.skipped += assertionResults.filter((test) => ['pending', 'todo'].includes(test.status)).length;
  }
  if (runs.length > 1) {
    for (const file of runs[0].testResults.filter((result) => result.status === 'failed')) {
      if (last.get(file.name).status === 'failed') continue;
      const names = file.assertionResults
        .filter((test) => test.status === 'failed')
        .map((test) => test.fullName);
      for (const name of names.length > 0 ? names : ['the file']) {
        console.error(`Passed in the second run only: ${file.name}: ${name}`);
      }
    }
  }
  console.log(counts.passed, counts.failed, counts.skipped);
}

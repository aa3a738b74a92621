/**
 * npm run lint:contract: checks the contract, as the API serves it, against the rules of redocly.yaml. Prints each
 * problem with its place in the document, and fails if there is one.
 */
import { fileURLToPath } from 'node:url';
import { lintFromString, loadConfig } from '@redocly/openapi-core';
import { bundleContract } from '../src/http/contract/bundle-contract.ts';

const configPath = fileURLToPath(new URL('../redocly.yaml', import.meta.url));

/** What a document breaks of redocly.yaml: one line for each problem. */
export async function findContractProblems(document: object): Promise<string[]> {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: '/openapi.json',
    config: await loadConfig({ configPath }),
  });
  return problems.map(({ ruleId, message, location }) => `${location[0]?.pointer} ${message} (${ruleId})`);
}

if (import.meta.main) {
  const problems = await findContractProblems(bundleContract());
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exit(1);
}

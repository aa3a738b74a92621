import { findContractProblems } from '../../scripts/lint-contract.ts';
import { bundleContract } from '../../src/http/contract/bundle-contract.ts';

test('the contract follows the rules of redocly.yaml', async () => {
  expect(await findContractProblems(bundleContract())).toEqual([]);
});

test.each([
  ['an operation without operationId', { operationId: undefined }, 'operation-operationId'],
  ['a description that is not a text', { description: 1 }, 'struct'],
  ['an operation without summary', { summary: undefined }, 'operation-summary'],
])('%s is a problem', async (_name, change, rule) => {
  const document = bundleContract();
  Object.assign(document.paths['/health']!.get!, change);
  expect(await findContractProblems(document)).toEqual([expect.stringContaining(`(${rule})`)]);
});

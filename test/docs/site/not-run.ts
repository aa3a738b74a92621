/** The blocks that are not run, by the page and the beginning of the block, with the reason. */
export const notRun: { page: string; begins: string; because: string }[] = [
  { page: 'README.md', begins: 'npm start', because: 'The test runs the service itself.' },
  { page: 'docs/guide/quick-start.md', begins: 'npm start', because: 'The test runs the service itself.' },
  { page: 'docs/guide/command-line.md', begins: 'npm start', because: 'The test runs the service itself.' },
  ...['npx sms login --demo', 'npx sms send'].map((begins) => ({
    ...{ page: 'docs/guide/command-line.md', begins },
    because: 'They run in the repository, with its demo: test/cli/commands.test.ts runs them.',
  })),
];

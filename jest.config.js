/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  // Loads the modules of the service once in a process instead of once in each test file, which is four fifths of
  // what a run costs otherwise. Node runs the TypeScript itself.
  runner: '<rootDir>/test/helpers/runner.mjs',
  transform: {},
  // The tests wait for servers more than they compute.
  maxWorkers: 3,
  setupFilesAfterEnv: ['<rootDir>/test/helpers/time-limits.ts'],
  globalSetup: '<rootDir>/test/helpers/global-setup.mjs',
  globalTeardown: '<rootDir>/test/helpers/global-teardown.mjs',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/.data', '<rootDir>/.cache'],
};

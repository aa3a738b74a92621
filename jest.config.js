/** @type {import('jest').Config} */
export default {
  testEnvironment: 'node',
  // Guards against a hang; no guarantee is about time, and a busy machine is slow.
  testTimeout: 30_000,
  // Modules of a test file are never collected in ESM mode: a process that has had many files is replaced, or the
  // whole run would end for want of memory.
  workerIdleMemoryLimit: '1GB',
  globalSetup: '<rootDir>/test/helpers/global-setup.mjs',
  globalTeardown: '<rootDir>/test/helpers/global-teardown.mjs',
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  modulePathIgnorePatterns: ['<rootDir>/.data', '<rootDir>/.cache'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' } },
    ],
  },
};

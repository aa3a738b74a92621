/** `npm run release` on a temporary copy of the project, in which the next version is 0.1.1 or 0.2.0. */
import { execFile, execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { tmpdir } from 'node:os';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { findProgram } from '../../scripts/embedded/cache.ts';
import { setVersion } from '../../scripts/release/change-files.ts';
import { findOasdiff } from '../../scripts/release/find-oasdiff.ts';
import { compareVersions, readLastRelease } from '../../scripts/release/versions.ts';

const run = promisify(execFile);

// oasdiff is built with Go.
const isBuildable = [findProgram('oasdiff'), findProgram('go', ['/usr/local/go/bin'])].some(Boolean);
const withOasdiff = isBuildable ? describe : describe.skip;

const { workspaces = [] } = JSON.parse(readFileSync('package.json', 'utf8')) as { workspaces?: string[] };
/** What the command reads and writes. */
const parts = [
  ...['package.json', 'package-lock.json', 'openapi.yaml', 'openapi', 'CHANGELOG.md', 'releases', 'src'],
  ...['scripts', '.gitignore', ...workspaces.map((folder) => `${folder}/package.json`)],
];

withOasdiff('npm run release', () => {
  let oasdiff: string;
  let copy: string;

  beforeAll(async () => {
    oasdiff = await findOasdiff({ cacheDir: '.cache', progress: () => undefined });
  }, 600_000);

  beforeEach(() => {
    // Within the project, so that Node finds the packages; git ignores .cache.
    mkdirSync('.cache', { recursive: true });
    copy = mkdtempSync(resolve('.cache/release-test-'));
    for (const part of parts) cpSync(part, join(copy, part), { recursive: true });
    edit('CHANGELOG.md', (text) =>
      text.replace(/## \[Unreleased\]\n.*?(?=\n## \[)/s, '## [Unreleased]\n\n### Added\n\n- A field.\n'),
    );
    git('init', '--quiet', '--initial-branch=main');
    commit();
    git('tag', 'v0.1.0');
  });

  afterEach(() => rmSync(copy, { recursive: true, force: true }));

  function git(...parameters: string[]): string {
    const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
    return execFileSync('git', [...identity, ...parameters], {
      cwd: copy,
      encoding: 'utf8',
      env: environment(),
    });
  }

  function environment(): NodeJS.ProcessEnv {
    const person = { GIT_AUTHOR_NAME: 'T', GIT_AUTHOR_EMAIL: 't@example.com' };
    const committer = { GIT_COMMITTER_NAME: 'T', GIT_COMMITTER_EMAIL: 't@example.com' };
    const configuration = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' };
    const path = `${dirname(resolve(oasdiff))}:${process.env['PATH']}`;
    return { ...process.env, ...person, ...committer, ...configuration, PATH: path };
  }

  function commit(): void {
    git('add', '--all');
    git('commit', '--quiet', '--message', 'x');
  }

  function edit(file: string, change: (text: string) => string): void {
    const path = join(copy, file);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
  }

  const read = (file: string) => readFileSync(join(copy, file), 'utf8');

  /** Runs the command. Returns nothing, or why it refused; then it changed no file and made no commit or tag. */
  async function release(version: string): Promise<string> {
    const stateOf = () => git('status', '--porcelain') + git('log', '--format=%H') + git('tag');
    const before = stateOf();
    try {
      await run(process.execPath, ['scripts/release/release.ts', version], { cwd: copy, env: environment() });
      return '';
    } catch (error) {
      expect(stateOf()).toBe(before);
      return (error as { stderr: string }).stderr;
    }
  }

  const addField = (text: string) =>
    text.replace(/^ {4}MessageInput:\n(.*\n)*? {6}properties:\n/m, '$&        priority: { type: string }\n');
  const removeMetadata = (text: string) =>
    text.replace(/^( {4}MessageInput:\n(?:.*\n)*?) {8}metadata:\n(?: {10}.*\n)+/m, '$1');

  test('sets the version everywhere, dates the changelog, keeps the contract, commits and tags', async () => {
    edit('openapi/messaging.yaml', addField);
    commit();
    expect(await release('0.1.1')).toBe('');
    expect(JSON.parse(read('package.json'))).toMatchObject({ version: '0.1.1' });
    expect(JSON.parse(read('package-lock.json'))).toMatchObject({
      version: '0.1.1',
      packages: { '': { version: '0.1.1' } },
    });
    expect(read('openapi.yaml')).toMatch(/^ {2}version: 0\.1\.1$/m);
    const contract = JSON.parse(read('releases/0.1.1/openapi.json'));
    expect(contract.info.version).toBe('0.1.1');
    expect(contract.components.schemas.MessageInput.properties.priority).toEqual({ type: 'string' });
    expect(read('CHANGELOG.md')).toMatch(
      /^## \[Unreleased\]\n\n## \[0\.1\.1\] - \d{4}-\d\d-\d\d\n\n### Added\n\n- A field\.\n\n## \[0\.1\.0\]/m,
    );
    expect(git('status', '--porcelain')).toBe('');
    expect(git('log', '-1', '--format=%s')).toBe('Release 0.1.1\n');
    expect(git('rev-list', '-1', 'v0.1.1')).toBe(git('rev-parse', 'HEAD'));
  });

  test('refuses a breaking change as a patch, and allows it as the next minor version before 1.0', async () => {
    edit('openapi/messaging.yaml', removeMetadata);
    commit();
    expect(await release('0.1.1')).toContain('metadata');
    expect(await release('0.2.0')).toBe('');
  });

  test.each([
    ['a tree with changes', '0.1.1', () => edit('openapi.yaml', (text) => `${text}\n`), 'has changes'],
    ['a version that is not higher', '0.1.0', () => git('tag', '--delete', 'v0.1.0'), 'higher than 0.1.0'],
    ['a version whose tag exists', '0.1.0', () => undefined, 'tag v0.1.0 exists'],
    ['no version', '', () => undefined, 'is not a version'],
    [
      'a changelog without entries',
      '0.1.1',
      () => {
        edit('CHANGELOG.md', (text) => text.replace('- A field.\n', ''));
        commit();
      },
      'has no entries',
    ],
  ])('refuses %s', async (_name, version, prepare, reason) => {
    prepare();
    expect(await release(version)).toContain(reason);
  });
});

test('the packages of a workspace get the version, and depend on each other by it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'workspace-'));
  const write = (file: string, content: unknown) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), typeof content === 'string' ? content : JSON.stringify(content));
  };
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as unknown;
  const [root, client, cli] = [
    { name: 'root', version: '0.1.0', workspaces: ['client', 'cli'], dependencies: { other: '0.1.0' } },
    { name: 'a-client', version: '0.1.0' },
    { name: 'a-cli', version: '0.1.0', dependencies: { 'a-client': '0.1.0', other: '0.1.0' } },
  ];
  write('package.json', root);
  write('client/package.json', client);
  write('cli/package.json', cli);
  write('package-lock.json', { ...root, packages: { '': root, client, cli } });
  write('openapi.yaml', 'info:\n  version: 0.1.0\n');
  setVersion(pathToFileURL(`${folder}/`), '0.2.0');
  const newCli = { ...cli, version: '0.2.0', dependencies: { 'a-client': '0.2.0', other: '0.1.0' } };
  expect(read('package.json')).toEqual({ ...root, version: '0.2.0' });
  expect(read('cli/package.json')).toEqual(newCli);
  expect(read('package-lock.json')).toMatchObject({
    packages: { '': { version: '0.2.0' }, client: { version: '0.2.0' }, cli: newCli },
  });
  rmSync(folder, { recursive: true });
});

test('package.json and openapi.yaml have one version, and the changelog has the last release', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  const last = readLastRelease(new URL('../../', import.meta.url))!;
  expect(readFileSync('openapi.yaml', 'utf8')).toMatch(new RegExp(`^  version: ${version}$`, 'm'));
  expect(compareVersions(version, last.version)).toBeGreaterThanOrEqual(0);
  expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(`## [${last.version}]`);
  expect(last.contract).toMatchObject({ info: { version: last.version } });
});

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

interface Package {
  name: string;
  version: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  /** Only in package-lock.json: the packages of the workspace, by folder. */
  packages?: Record<string, Package>;
}

/**
 * Sets the version of the project in all files that have it: the packages of the workspace, the lock file and
 * openapi.yaml. Packages that depend on another one of the workspace then depend on its new version.
 */
export function setVersion(root: URL, version: string): void {
  const { workspaces = [] } = readPackage(root, 'package.json');
  const folders = ['', ...workspaces.map((folder) => `${folder}/`)];
  const names = folders.map((folder) => readPackage(root, `${folder}package.json`).name);
  const update = (one: Package): void => {
    one.version = version;
    for (const dependencies of [one.dependencies, one.devDependencies]) {
      for (const name of names) if (dependencies?.[name] !== undefined) dependencies[name] = version;
    }
  };
  for (const folder of folders) changePackage(root, `${folder}package.json`, update);
  changePackage(root, 'package-lock.json', (lock) => {
    lock.version = version;
    for (const folder of ['', ...workspaces]) update(lock.packages![folder]!);
  });
  changeText(root, 'openapi.yaml', (text) => text.replace(/^( {2}version: ).*$/m, `$1${version}`));
}

/**
 * Gives the entries below “Unreleased” in CHANGELOG.md the version and its date, and starts an empty “Unreleased”.
 *
 * @throws Error if there are no entries: every release says what it changes
 */
export function moveUnreleased(root: URL, version: string, date: string): void {
  changeText(root, 'CHANGELOG.md', (text) => {
    const entries = /^## \[Unreleased\]\n([^]*?)(?=^## \[|(?![^]))/m.exec(text)?.[1] ?? '';
    if (!/^- /m.test(entries)) {
      throw new Error('CHANGELOG.md has no entries below Unreleased. Write what the release changes.');
    }
    return text.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${date}\n`);
  });
}

/** Writes the contract of a release, with which later ones are compared. */
export function writeReleasedContract(root: URL, version: string, contract: object): void {
  const directory = new URL(`releases/${version}/`, root);
  mkdirSync(directory, { recursive: true });
  writeFileSync(new URL('openapi.json', directory), `${JSON.stringify(contract, null, 2)}\n`);
}

function readPackage(root: URL, file: string): Package {
  return JSON.parse(readFileSync(new URL(file, root), 'utf8')) as Package;
}

function changePackage(root: URL, file: string, change: (content: Package) => void): void {
  const content = readPackage(root, file);
  change(content);
  writeFileSync(new URL(file, root), `${JSON.stringify(content, null, 2)}\n`);
}

function changeText(root: URL, file: string, change: (text: string) => string): void {
  const location = new URL(file, root);
  writeFileSync(location, change(readFileSync(location, 'utf8')));
}

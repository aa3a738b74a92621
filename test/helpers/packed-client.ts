import { execFile } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { basename, delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A project outside the repository with the packed client. */
export interface ClientProject {
  /** The files in the package. */
  files: string[];
}

/**
 * Packs the client as it would be published, and installs it in an empty directory. It is packed from a copy, because
 * packing compiles into `dist`, which programs of the repository may be reading.
 */
export async function installPackedClient(directory: string): Promise<ClientProject> {
  const source = join(directory, 'source');
  await cp('client', source, {
    recursive: true,
    filter: (path) => !['dist', 'node_modules'].includes(basename(path)),
  });
  const path = [resolve('node_modules/.bin'), process.env['PATH']].join(delimiter);
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', directory], {
    cwd: source,
    env: { ...process.env, PATH: path },
  });
  // The build prints lines before the list.
  const [{ files, filename }] = JSON.parse(stdout.slice(stdout.indexOf('['))) as [
    { files: { path: string }[]; filename: string },
  ];
  await writeFile(join(directory, 'package.json'), JSON.stringify({ type: 'module', private: true }));
  await run('npm', ['install', '--offline', '--ignore-scripts', join(directory, filename)], {
    cwd: directory,
  });
  return { files: files.map((file) => file.path) };
}

import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeDataDirectory } from '../../scripts/embedded/private-files.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'private-'));
  for (const name of ['processes', 'temporal', 'postgres', 'postgres/cluster'])
    mkdirSync(join(dataDir, name));
  for (const name of ['auth-secret', 'demo.json.new', 'temporal/temporal.db', 'postgres/cluster/PG_VERSION'])
    writeFileSync(join(dataDir, name), 'x');
  for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' }))
    chmodSync(join(dataDir, name), statSync(join(dataDir, name)).isDirectory() ? 0o755 : 0o644);
  chmodSync(dataDir, 0o755);
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const modeOf = (name: string) => (lstatSync(join(dataDir, name)).mode & 0o777).toString(8);

test('closes what npm start keeps in DATA_DIR to other users, but leaves PostgreSQL’s own files to it', () => {
  closeDataDirectory(dataDir);
  const directories = ['', 'processes', 'temporal', 'postgres'];
  expect(directories.map(modeOf)).toEqual(directories.map(() => '700'));
  const files = ['auth-secret', 'demo.json.new', 'temporal/temporal.db'];
  expect(files.map(modeOf)).toEqual(files.map(() => '600'));
  expect(['postgres/cluster', 'postgres/cluster/PG_VERSION'].map(modeOf)).toEqual(['755', '644']);
});

test('in a directory that holds other files, closes only what is of npm start', () => {
  writeFileSync(join(dataDir, 'letter.txt'), 'x');
  chmodSync(join(dataDir, 'letter.txt'), 0o644);
  closeDataDirectory(dataDir);
  expect(['', 'letter.txt', 'auth-secret', 'temporal'].map(modeOf)).toEqual(['755', '644', '600', '700']);
});

test('follows no link', () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'elsewhere-'));
  chmodSync(elsewhere, 0o755);
  rmSync(join(dataDir, 'temporal'), { recursive: true });
  symlinkSync(elsewhere, join(dataDir, 'temporal'));
  closeDataDirectory(dataDir);
  expect((statSync(elsewhere).mode & 0o777).toString(8)).toBe('755');
  rmSync(elsewhere, { recursive: true });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defences } from '../../scripts/defences.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

test.each(defences.map((defence) => [defence.name, defence] as const))(
  '%s can be taken out: its place is in the source exactly once, and its test exists',
  (_name, { removal, test: { file } }) => {
    expect(read(removal.file).split(removal.from)).toHaveLength(2);
    expect(read(file)).toMatch(/\btest\b/);
  },
);

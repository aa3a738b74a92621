// npm run lock: adds the optional packages of other platforms to package-lock.json. npm omits them when it writes a
// lock file while node_modules exists (npm/cli#4828), and `npm ci` then refuses the lock file.
import { readFileSync, writeFileSync } from 'node:fs';
const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8'));
const packages = lock.packages;
const oses = [
  'darwin',
  'win32',
  'linux',
  'android',
  'freebsd',
  'openbsd',
  'netbsd',
  'sunos',
  'aix',
  'openharmony',
];
const cpus = [
  'x64',
  'arm64',
  'arm',
  'ia32',
  'ppc64',
  's390x',
  'riscv64',
  'loong64',
  'mips64el',
  'ppc',
  'x86',
];
let added = 0;
for (const [path, p] of Object.entries({ ...packages })) {
  for (const [name, version] of Object.entries(p.optionalDependencies ?? {})) {
    const exists = packages[`node_modules/${name}`] ?? packages[`${path}/node_modules/${name}`];
    if (exists || !/^\d/.test(version)) {
      if (!exists) console.log('left', name, version);
      continue;
    }
    const words = name.split(/[-/]/);
    const os = oses.filter((o) => words.includes(o));
    const cpu = cpus.filter((c) => words.some((w) => w === c || (c === 'arm' && /^arm(hf|v\d|$)/.test(w))));
    if (words.includes('windows')) os.push('win32');
    if (words.includes('aarch64')) cpu.push('arm64');
    if (words.includes('wasm32')) cpu.push('wasm32');
    if (!os.length && !cpu.length) {
      console.log('unclear', name);
      continue;
    }
    packages[`node_modules/${name}`] = {
      version,
      ...(p.dev && { dev: true }),
      ...(cpu.length && { cpu }),
      optional: true,
      ...(os.length && { os }),
    };
    added++;
  }
}
const [root, ...rest] = Object.entries(packages);
lock.packages = Object.fromEntries([root, ...rest.sort(([a], [b]) => (a < b ? -1 : 1))]);
writeFileSync(file, JSON.stringify(lock, null, 2) + '\n');
console.log('added', added);

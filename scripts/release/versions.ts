import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Three numbers: major, minor, patch (Semantic Versioning 2.0.0, without pre-releases). */
type Numbers = readonly [major: number, minor: number, patch: number];

/** @throws Error if the text is not a version such as 1.2.3 */
export function readVersion(text: string): Numbers {
  const match = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(text);
  if (!match) throw new Error(`${text} is not a version. A version has three numbers, for example 1.2.3.`);
  return match.slice(1).map(Number) as unknown as Numbers;
}

/** Negative if the first version is lower, positive if it is higher. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [readVersion(one), readVersion(other)];
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

/**
 * Whether a version may break what worked with an earlier one: the next major version may, and before 1.0 the next minor
 * version.
 */
export function mayBreak(from: string, to: string): boolean {
  const [before, after] = [readVersion(from), readVersion(to)];
  return after[0] > before[0] || (before[0] === 0 && after[1] > before[1]);
}

/** The latest release: its version, and the contract that it published. undefined: there is none yet. */
export function readLastRelease(root: URL): { version: string; contract: object } | undefined {
  const directory = new URL('releases/', root);
  if (!existsSync(directory)) return undefined;
  const version = readdirSync(directory).toSorted(compareVersions).at(-1);
  if (version === undefined) return undefined;
  const text = readFileSync(new URL(`${version}/openapi.json`, directory), 'utf8');
  return { version, contract: JSON.parse(text) as object };
}

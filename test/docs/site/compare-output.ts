/** The fields whose values a page promises; of all others, only the type. */
const promised = new Set(['status', 'code', 'valid', 'event', 'kind']);

/**
 * How real JSON differs from that of a page: one line for each field that is missing, is not on the page, or has
 * another type. The field "…" on a page stands for further fields. A page may show fewer items of a list.
 */
export function findDifferences(shown: unknown, real: unknown, at = ''): string[] {
  if (typeOf(shown) !== typeOf(real))
    return [`${at || 'the output'} is ${typeOf(real)}, not ${typeOf(shown)}`];
  if (Array.isArray(shown) && Array.isArray(real)) return compareLists(shown, real, at);
  if (isObject(shown) && isObject(real)) return compareObjects(shown, real, at);
  const name = at.replace(/^.*\./, '');
  if (promised.has(name) && shown !== real) return [`${at} is ${String(real)}, not ${String(shown)}`];
  return [];
}

function compareObjects(shown: Record<string, unknown>, real: Record<string, unknown>, at: string): string[] {
  const { '…': further, ...fields } = shown;
  const missing = Object.keys(fields).filter((name) => !(name in real));
  const unknown = further === undefined ? Object.keys(real).filter((name) => !(name in fields)) : [];
  return [
    ...missing.map((name) => `${at}.${name} is missing`),
    ...unknown.map((name) => `${at}.${name} is not on the page`),
    ...Object.keys(fields)
      .filter((name) => name in real)
      .flatMap((name) => findDifferences(fields[name], real[name], `${at}.${name}`)),
  ];
}

/** Each item that the page shows must be like a real one of its own. Their order may differ. */
function compareLists(shown: unknown[], real: unknown[], at: string): string[] {
  const left = [...real];
  return shown.flatMap((item, index) => {
    const found = left.findIndex((other) => findDifferences(item, other).length === 0);
    if (found !== -1) left.splice(found, 1);
    return found === -1 ? [`no item of ${at} is like number ${index + 1} on the page`] : [];
  });
}

/** Which real value stands for each value that a page shows, for instance an id. */
export function pairValues(shown: unknown, real: unknown): [shown: string, real: string][] {
  if (typeof shown === 'string' && typeof real === 'string') return [[shown, real]];
  if (Array.isArray(shown) && Array.isArray(real)) {
    return shown.flatMap((item, index) => pairValues(item, real[index]));
  }
  if (isObject(shown) && isObject(real)) {
    return Object.keys(shown).flatMap((name) => pairValues(shown[name], real[name]));
  }
  return [];
}

/** Which lines of a page the real text lacks. They must occur in their order; `…` stands for anything in a line. */
export function findMissingLines(shown: string, real: string): string[] {
  const lines = real.split('\n');
  let next = 0;
  return shown
    .split('\n')
    .filter((line) => line.trim() !== '')
    .filter((line) => {
      const pattern = new RegExp(line.trim().split('…').map(escape).join('.*'));
      const found = lines.findIndex((other, place) => place >= next && pattern.test(other));
      if (found !== -1) next = found + 1;
      return found === -1;
    });
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeOf(value) === 'object';
}

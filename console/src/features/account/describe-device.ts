/** Names in the order in which they decide: Edge also says that it is Chrome, and Chrome that it is Safari. */
const browsers: [name: string, pattern: RegExp][] = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
];

const systems: [name: string, pattern: RegExp][] = [
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
];

const longestProgram = 40;

/**
 * Names the browser and the system of a User-Agent, for example `Firefox · Windows`. Of a program that is no browser the
 * first word is the name, for example `curl/8.14.1`.
 *
 * @returns null for an empty one
 */
export function describeDevice(userAgent: string): string | null {
  const nameIn = (names: [string, RegExp][]): string | undefined =>
    names.find(([, pattern]) => pattern.test(userAgent))?.[0];
  const browser = nameIn(browsers);
  const known = [browser, nameIn(systems)].filter((name) => name !== undefined);
  if (browser !== undefined) return known.join(' · ');
  return userAgent.trim().split(/\s/)[0]!.slice(0, longestProgram) || null;
}

import { text as readAll } from 'node:stream/consumers';

/** Returns a text that was given as an argument, or all of standard input for `-`. */
export async function readText(given: string): Promise<string> {
  if (given !== '-') return given;
  // The line break that ends the last line of a file is no part of the text.
  return (await readAll(process.stdin)).replace(/\r?\n$/, '');
}

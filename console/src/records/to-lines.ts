/** Returns the lines of a text that are not empty, for a list that people write with one entry in a line. */
export function toLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

import { nilId } from './scan-rows.ts';

/** The largest number of wholes that one page begins: some have no parts, and each takes two round trips. */
const wholesPerPage = 50;

/** What one page of parts has done. */
export interface PageOfParts {
  changed: number;
  /** Where the next page begins: behind a whole, `<id>`, or behind one of its parts, `<id>:<position>`. */
  cursor: string;
  /** The last whole that was examined. */
  lastId: string;
  isDone: boolean;
}

/**
 * Works through the parts of rows: the recipients of batches, the rejected lines of imports. One batch has up to a
 * hundred thousand recipients, so that neither a page nor a statement may take a whole one.
 *
 * @param cursor where the page before ended; null for the first
 * @param rows how many parts the page examines at most
 * @param nextId returns the first whole behind an id, in the order of ids
 * @param change examines up to `limit` parts of a whole behind a position, in the order of positions, and returns how
 *   many it examined, the last of their positions, and how many it changed. `isFirst`: no part of it was examined yet
 */
export async function pageThroughParts(
  cursor: string | null,
  rows: number,
  nextId: (after: string) => Promise<string | undefined>,
  change: (part: {
    id: string;
    after: number;
    limit: number;
    isFirst: boolean;
  }) => Promise<{ examined: number; last: number | null; changed: number }>,
): Promise<PageOfParts> {
  let [id, position] = readPlace(cursor);
  let [changed, left] = [0, rows];
  for (let wholes = 0; wholes < wholesPerPage && left > 0; wholes += 1) {
    if (position === null) {
      const next = await nextId(id);
      if (next === undefined) return { changed, cursor: id, lastId: id, isDone: true };
      id = next;
    }
    // Positions and lines begin at 1.
    const part = { id, after: position ?? 0, limit: left, isFirst: position === null };
    const page = await change(part);
    changed += page.changed;
    position = page.examined < left ? null : page.last;
    left -= page.examined;
  }
  return { changed, cursor: position === null ? id : `${id}:${position}`, lastId: id, isDone: false };
}

function readPlace(cursor: string | null): [id: string, position: number | null] {
  const [id = nilId, position] = cursor?.split(':') ?? [];
  return [id, position === undefined ? null : Number(position)];
}

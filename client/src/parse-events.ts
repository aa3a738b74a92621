/** A block of a stream of server-sent events (WHATWG HTML, 9.2.6), as far as it says something. */
export interface ParsedEvent {
  /** The id to resume after; undefined if the block has none. */
  id?: string;
  /** How long to wait before reconnecting, in milliseconds. */
  retryMs?: number;
  /** The kind of event, `message` if the block does not say it; undefined if the block has no data. */
  event?: string;
  data?: string;
}

/** Returns a function that takes the text of a stream piece by piece and returns the blocks that are complete. */
export function createEventParser(): (text: string) => ParsedEvent[] {
  let rest = '';
  let block: string[] = [];
  return (text) => {
    rest += text;
    const events: ParsedEvent[] = [];
    // A CR at the end may be the first half of a CRLF.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop()!;
    for (const line of lines) {
      if (line !== '') block.push(line);
      else if (block.length > 0) {
        events.push(parseBlock(block));
        block = [];
      }
    }
    return events;
  };
}

function parseBlock(lines: string[]): ParsedEvent {
  const parsed: ParsedEvent = {};
  const data: string[] = [];
  let kind = '';
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^:]*)(?:: ?([^]*))?$/.exec(line) ?? [];
    if (name === 'data') data.push(value);
    if (name === 'event') kind = value;
    if (name === 'id' && !value.includes('\0')) parsed.id = value;
    if (name === 'retry' && /^\d+$/.test(value)) parsed.retryMs = Number(value);
  }
  if (data.length > 0) Object.assign(parsed, { event: kind || 'message', data: data.join('\n') });
  return parsed;
}

/** A message as the phone behind fakesmsc received it, with its segments joined. */
export type ReceivedMessage = { from: string; to: string; text: string; segments: number };

/** `sender receiver type rest`: Kannel's gw/smsc/smsc_fake.c. A sender ID may contain spaces, a number may not. */
const MESSAGE = /^(.*?) (\+?\d+) (text|data|ucs-2|udh) (.*)$/s;
/** Concatenation with an 8-bit reference (3GPP TS 23.040, 9.2.3.24.1), URL-encoded. */
const CONCATENATION = /^%05%00%03(.+)$/;

type Segments = { reference: number; total: number; parts: Map<number, Buffer> };

/**
 * Reads the messages from the log of fakesmsc: `… Got message 3: <Acme +251911000001 text Hello>`.
 * Omits a message whose segments have not all arrived.
 */
export function readReceivedMessages(log: string): ReceivedMessage[] {
  const messages: ReceivedMessage[] = [];
  const incomplete = new Map<string, Segments>();
  for (const line of receivedLines(log)) {
    const [, from = '', to = '', type = '', rest = ''] = MESSAGE.exec(line) ?? [];
    if (type === 'text') messages.push({ from, to, text: rest, segments: 1 });
    else if (type === 'ucs-2') messages.push({ from, to, text: fromUtf16(decodeUrl(rest)), segments: 1 });
    else if (type === 'data') messages.push({ from, to, text: decodeUrl(rest).toString(), segments: 1 });
    else {
      const whole = addSegment(incomplete, `${from} ${to}`, rest);
      if (whole) messages.push({ from, to, text: decodePayload(whole), segments: whole.length });
    }
  }
  return messages;
}

/** fakesmsc's protocol has one line per message, so a line break in a text produces lines that begin no message. */
function receivedLines(log: string): string[] {
  const lines: string[] = [];
  for (const match of log.matchAll(/Got message \d+: <(.*)>$/gm)) {
    const line = match[1] ?? '';
    if (MESSAGE.test(`${line} `) || lines.length === 0) lines.push(line);
    else lines.push(`${lines.pop()}\n${line}`);
  }
  return lines.filter((line) => MESSAGE.test(line));
}

/** Returns all segments in order when the last one has arrived. */
function addSegment(incomplete: Map<string, Segments>, route: string, rest: string): Buffer[] | undefined {
  const [header = '', payload = ''] = rest.split(' data ', 2);
  const [reference, total, number] = CONCATENATION.test(header) ? decodeUrl(header).subarray(3) : [];
  if (reference === undefined || total === undefined || number === undefined) return [decodeUrl(payload)];
  const key = `${route} ${reference}`;
  const segments = incomplete.get(key) ?? { reference, total, parts: new Map<number, Buffer>() };
  segments.parts.set(number, decodeUrl(payload));
  incomplete.set(key, segments);
  if (segments.parts.size < total) return undefined;
  incomplete.delete(key);
  return [...segments.parts].toSorted(([a], [b]) => a - b).map(([, part]) => part);
}

/**
 * fakesmsc does not log the encoding of a segment: GSM-7 text arrives as UTF-8, Unicode as UTF-16. Text has no control
 * characters except line breaks. UTF-16 of nearly every language has bytes that look like control characters (the
 * high byte of Ethiopic is 0x12 or 0x13, and the high byte of a space is 0).
 */
function decodePayload(segments: Buffer[]): string {
  const payload = Buffer.concat(segments);
  const hasControlBytes = payload.some((byte) => byte < 0x20 && byte !== 0x0a && byte !== 0x0d);
  return hasControlBytes ? fromUtf16(payload) : payload.toString();
}

function fromUtf16(payload: Buffer): string {
  return Buffer.from(payload).swap16().toString('utf16le');
}

/** Kannel's octstr_url_encode: percent escapes of bytes, and a plus for a space. */
function decodeUrl(encoded: string): Buffer {
  const latin1 = encoded
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_escape, digits: string) => String.fromCharCode(parseInt(digits, 16)));
  return Buffer.from(latin1, 'latin1');
}

import * as fc from 'fast-check';
import { createEventParser, type ParsedEvent } from '../../client/src/parse-events.ts';

/** Parses a text that arrives in these pieces. */
function parse(...pieces: string[]): ParsedEvent[] {
  const parser = createEventParser();
  return pieces.flatMap((piece) => parser(piece));
}

// WHATWG HTML, 9.2.6.
test.each<[name: string, text: string, events: ParsedEvent[]]>([
  ['an event', 'id: 1\nevent: a\ndata: x\n\n', [{ id: '1', event: 'a', data: 'x' }]],
  ['data of several lines', 'data: x\ndata\ndata:y\n\n', [{ event: 'message', data: 'x\n\ny' }]],
  ['an id alone', 'id: 7\n\n', [{ id: '7' }]],
  ['an empty id', 'id\ndata: x\n\n', [{ id: '', event: 'message', data: 'x' }]],
  ['the time to wait', 'retry: 2210\n\n', [{ retryMs: 2210 }]],
  ['a time that is no number', 'retry: 1s\n\n', [{}]],
  ['one space after the colon', 'data:  x\n\n', [{ event: 'message', data: ' x' }]],
  ['a colon in the data', 'data: a: b\n\n', [{ event: 'message', data: 'a: b' }]],
  ['a comment', ': still here\n\n', [{}]],
  [
    'CR and CRLF',
    'data: x\r\r\ndata: y\r\n\r\n',
    [
      { event: 'message', data: 'x' },
      { event: 'message', data: 'y' },
    ],
  ],
  ['an event without its end', 'data: x\n', []],
])('reads %s', (_name, text, events) => {
  expect(parse(text)).toEqual(events);
});

test('the pieces in which a stream arrives make no difference', () => {
  const line = fc.constantFrom('id: 1', 'event: a', 'data: x', 'data: ሰላም', ': comment', 'retry: 5', '');
  const end = fc.constantFrom('\n', '\r\n', '\r');
  fc.assert(
    fc.property(fc.array(fc.tuple(line, end)), fc.array(fc.nat(200)), (lines, cuts) => {
      const text = `${lines.map((parts) => parts.join('')).join('')}data: last\n\n`;
      const at = [0, ...cuts.map((cut) => cut % text.length).toSorted((a, b) => a - b), text.length];
      const pieces = at.slice(1).map((stop, index) => text.slice(at[index], stop));
      expect(parse(...pieces)).toEqual(parse(text));
      expect(parse(text).at(-1)).toMatchObject({ data: expect.stringMatching(/last$/) });
    }),
  );
});

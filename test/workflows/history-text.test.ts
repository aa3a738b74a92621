import { textOf } from '../helpers/history-text.ts';

test('the text of a history has its strings and its payloads, not the digits of its clock', () => {
  const history = {
    events: [
      {
        eventTime: { seconds: '1795248610', nanos: 911_000_000 },
        input: { payloads: [{ data: new TextEncoder().encode('{"dispatchId":"a"}') }] },
        searchAttributes: { indexedFields: { Kind: { data: Buffer.from('"inbound"') } } },
      },
    ],
  };
  expect(textOf(history)).toContain('"dispatchId":"a"');
  expect(textOf(history)).toContain('"inbound"');
  expect(textOf(history)).not.toContain('911');
});

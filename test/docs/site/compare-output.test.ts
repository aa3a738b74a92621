import { findDifferences, findMissingLines, pairValues } from './compare-output.ts';

const real = {
  id: '019aa3c1-7d7b',
  status: 'delivered',
  segments: 1,
  sentAt: null,
  data: [{ kind: 'queued' }, { kind: 'sent', attempt: 1 }],
};

test.each([
  ['the same', real, []],
  ['other values', { ...real, id: '019aa3c1-9999', segments: 7 }, []],
  ['some fields', { id: 'x', '…': '…' }, []],
  ['fewer items, in another order', { ...real, data: [{ kind: 'sent', attempt: 2 }] }, []],
  ['a missing field', { ...real, more: 1 }, ['.more is missing']],
  [
    'fields that are not shown',
    { id: 'x', status: 'delivered', segments: 1, sentAt: null },
    ['.data is not on the page'],
  ],
  ['another type', { ...real, segments: '1' }, ['.segments is number, not string']],
  ['a value where there is none', { ...real, sentAt: 'now' }, ['.sentAt is null, not string']],
  ['another status', { ...real, status: 'failed' }, ['.status is delivered, not failed']],
  [
    'an item that is not there',
    { ...real, data: [{ kind: 'failed' }] },
    ['no item of .data is like number 1 on the page'],
  ],
])('a page that shows %s differs by what it promises', (_name, shown, differences) => {
  expect(findDifferences(shown, real)).toEqual(differences);
});

test('the values of a page are paired with the real ones', () => {
  expect(pairValues({ id: 'a', data: [{ id: 'b' }], n: 1 }, { id: 'x', data: [{ id: 'y' }], n: 2 })).toEqual([
    ['a', 'x'],
    ['b', 'y'],
  ]);
});

test('lines of a page occur in the output in their order, with anything for …', () => {
  const output = 'HTTP/1.1 202 Accepted\nDate: now\nRetry-After: 1\n';
  expect(findMissingLines('HTTP/1.1 …\nRetry-After: …', output)).toEqual([]);
  expect(findMissingLines('Retry-After: 1\nHTTP/1.1 202', output)).toEqual(['HTTP/1.1 202']);
  expect(findMissingLines('a.c', 'abc')).toEqual(['a.c']);
});

import { endWhenBroken } from '../../scripts/embedded/end-when-broken.ts';

type Reply = 'ok' | number | 'not reached';

/** Watches a server that gives these replies, then exits. Returns how many of them were asked for until it was ended. */
async function watch(replies: Reply[]): Promise<{ asked: number; ended: boolean; lines: string[] }> {
  const lines: string[] = [];
  let [asked, ended] = [0, false];
  let exit: () => void = () => undefined;
  const exited = new Promise<void>((resolve) => {
    exit = resolve;
  });
  await endWhenBroken(
    {
      ask: () => {
        const reply = replies[asked];
        asked += 1;
        if (reply === 'ok') return Promise.resolve();
        const error = new Error('interrupted (9)');
        return Promise.reject(reply === 'not reached' ? error : Object.assign(error, { code: reply }));
      },
      exited,
      end: () => {
        ended = true;
        return Promise.resolve();
      },
      log: (line) => lines.push(line),
    },
    () => {
      if (asked === replies.length) exit();
      return Promise.resolve();
    },
  );
  return { asked, ended, lines };
}

const [deadlineExceeded, notFound, unavailable] = [4, 5, 14];
const times = (count: number, reply: Reply): Reply[] => Array<Reply>(count).fill(reply);

test('a server that answers with errors only is ended, and the log says why', async () => {
  const { asked, ended, lines } = await watch(times(20, unavailable));
  expect({ asked, ended }).toEqual({ asked: 6, ended: true });
  expect(lines).toEqual([expect.stringContaining('interrupted (9)')]);
});

test.each<[what: string, replies: Reply[]]>([
  ['that works', times(20, 'ok')],
  ['that has only a few errors in a row', [...times(5, notFound), 'ok', ...times(5, unavailable), 'ok']],
  ['that is too busy to answer', times(20, deadlineExceeded)],
  ['that is not reached', times(20, 'not reached')],
])('a server %s is left alone', async (_what, replies) => {
  expect(await watch(replies)).toEqual({ asked: replies.length, ended: false, lines: [] });
});

test('errors count together over the times without an answer', async () => {
  const replies = [...times(3, unavailable), deadlineExceeded, ...times(3, unavailable), ...times(3, 'ok')];
  expect(await watch(replies)).toMatchObject({ asked: 7, ended: true });
});

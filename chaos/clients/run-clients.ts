import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../random.ts';
import type { World } from '../world/world.ts';
import { createCaller, emptyLedger, type Ledger } from './caller.ts';
import {
  createBatch,
  keepLooking,
  keepRedriving,
  receiveFromPhone,
  scheduleMessage,
} from './other-clients.ts';
import { prepareOrganization } from './prepare.ts';
import { sendMessage } from './send.ts';
import { sendAndVerifyCode } from './verify.ts';

export interface Clients {
  ledger: Ledger;
  /** Begins the traffic, which ends by itself. Resolves when no client begins anything more. */
  run: () => Promise<void>;
  /** Clients that still wait for an answer. */
  countWaiting: () => number;
  /** Ends all repetitions. */
  giveUp: () => Promise<void>;
}

/** No client begins while so many wait, as in an outage. */
const mostWaiting = 300;

/**
 * Prepares the clients, which call both API processes. What they do follows from the seed; when they do it depends on the
 * machine.
 *
 * @param options.ratePerSecond how many clients begin in a second
 */
export async function prepareClients(
  world: World,
  options: { seed: number; durationSeconds: number; ratePerSecond: number },
): Promise<Clients> {
  const { seed, durationSeconds, ratePerSecond } = options;
  const { demo, gateway, receivers } = world;
  let givenUp = false;
  let startedAtMs = 0;
  // The second occurrence is a minute later. Everything else settles sooner.
  const isTimeForTwo = (): boolean => performance.now() - startedAtMs < durationSeconds * 250;
  const isGivenUp = (): boolean => givenUp;
  const ledger = emptyLedger();
  const caller = createCaller({ apiUrls: world.apiUrls, apiKey: world.apiKey, ledger, isGivenUp });
  const withMagicRecipients = world.gatewayName === 'simulator';
  const client = { caller, ledger, random: createRandom(seed ^ 0x5eed), isGivenUp, withMagicRecipients };
  const list = await prepareOrganization(world, caller);

  /** What a client does, and how many of a hundred do it. */
  const doings: [number, () => Promise<void>][] = [
    [72, () => sendMessage(client, receivers.url)],
    [10, () => sendAndVerifyCode(client, gateway.texts)],
    [11, () => receiveFromPhone(client, demo.gatewayToken)],
    [5, () => scheduleMessage(client, isTimeForTwo())],
    [2, () => createBatch(client, list)],
  ];
  const waiting = new Set<Promise<void>>();
  const begin = (doing: () => Promise<void>): void => {
    const one = doing().finally(() => waiting.delete(one));
    waiting.add(one);
  };
  const chooseDoing = (): (() => Promise<void>) => {
    let left = client.random.next() * 100;
    return doings.find(([share]) => (left -= share) < 0)?.[1] ?? doings[0]![1];
  };
  const watching: Promise<void>[] = [];
  return {
    ledger,
    countWaiting: () => waiting.size,
    run: async () => {
      watching.push(keepRedriving(client, isGivenUp), keepLooking(client, isGivenUp));
      startedAtMs = performance.now();
      for (let begun = 0; begun < durationSeconds * ratePerSecond; begun += 1) {
        await sleep(Math.max(0, startedAtMs + (begun * 1000) / ratePerSecond - performance.now()));
        if (performance.now() - startedAtMs > durationSeconds * 1000) return;
        if (waiting.size < mostWaiting) begin(chooseDoing());
      }
    },
    giveUp: async () => {
      givenUp = true;
      await Promise.all([...waiting, ...watching]);
    },
  };
}

import type { WorkflowClient } from '@temporalio/client';
import type { Database } from './database.ts';
import { completeDispatches } from './dispatches/complete-dispatches.ts';
import type { Gathering } from './dispatches/natural-batching.ts';
import { createDispatchStarter, type DispatchRow } from './dispatches/start-dispatches.ts';
import { inboundRows } from './inbound/inbound-rows.ts';
import type { Log } from './log.ts';
import { messageRows } from './messages/message-rows.ts';
import {
  createNumberSealer,
  createSecondFactorSealer,
  createSecretSealer,
  createTextSealer,
  type Sealer,
  type SealingKey,
} from './messages/sealer.ts';
import { createNumberHash, type HashNumber } from './privacy/number-hash.ts';
import { codeRows } from './security-codes/code-rows.ts';
import { deliveryRows } from './webhooks/delivery-rows.ts';

/** A batch of four shows load: at low traffic, a request rarely arrives together with three others. */
const itemsUnderLoad = 4;

/** From this size on, a statement for outcomes costs little more for each of them than one for hundreds. */
const enoughOutcomes = 48;

/** What the features of a process share, in the API and in the worker. */
export interface Services {
  database: Database;
  workflowClient: WorkflowClient;
  log: Log;
  /** The time for messages and reports, and the time that decides whether rows are due. */
  now: () => Date;
  /** The key with which codes are hashed. API and worker have the same. */
  pepper: string;
  /** The key before the last change, with which stored codes may be hashed; undefined when it is over. */
  previousPepper: string | undefined;
  /** Seals the texts of messages that contain codes. */
  sealer: Sealer;
  /** Seals the secrets of webhooks. */
  secretSealer: Sealer;
  /** Seals the secrets of authenticator apps. */
  secondFactorSealer: Sealer;
  /** Seals the numbers of erasures in progress. */
  numberSealer: Sealer;
  /** The keyed hash by which a number is known after its erasure. */
  hashNumber: HashNumber;
  /** How the writes for callers who wait for a response gather under load: `createBatcher`. */
  gathering: Gathering;
  /** The same for reports and the outcomes of submissions and webhooks, for which nobody waits. */
  outcomeGathering: Gathering;
  /** These start the dispatches of committed rows. They never fail: the sweep starts what they cannot start. */
  startMessages: (row: DispatchRow) => void;
  startWebhooks: (row: DispatchRow) => void;
  startCodes: (row: DispatchRow) => void;
  startInbound: (row: DispatchRow) => void;
  /**
   * These are called with dispatches that may have been completed by something other than their own activity, for
   * example a delivery report.
   */
  completeMessageDispatches: (dispatchIds: string[]) => Promise<void>;
  completeCodeDispatches: (dispatchIds: string[]) => void;
}

export function createServices(given: {
  database: Database;
  workflowClient: WorkflowClient;
  log: Log;
  securityCodePepper: string;
  previousSecurityCodePepper?: string | undefined;
  /** The keys of SEALING_KEYS; none by default. */
  sealingKeys?: readonly SealingKey[];
  /** How long writes, outcomes and dispatches may wait for others under load. None waits by default. */
  batchWaitMs?: number;
  outcomeWaitMs?: number;
  dispatchWaitMs?: number;
  /** The system clock by default. */
  now?: (() => Date) | undefined;
}): Services {
  const { database, workflowClient, log, now = () => new Date() } = given;
  const { securityCodePepper: pepper, previousSecurityCodePepper: previousPepper } = given;
  const secrets = { pepper, previousPepper, keys: given.sealingKeys ?? [] };
  const { batchWaitMs = 0, outcomeWaitMs = 0, dispatchWaitMs = 0 } = given;
  // A workflow costs so much more than a row that each start spaces the next one, however few rows it had.
  const starting = { ...given, gathering: { fromItems: 1, waitMs: dispatchWaitMs } };
  const numberSealer = createNumberSealer(secrets);
  return {
    database,
    workflowClient,
    log,
    now,
    pepper,
    previousPepper,
    sealer: createTextSealer(secrets),
    secretSealer: createSecretSealer(secrets),
    secondFactorSealer: createSecondFactorSealer(secrets),
    numberSealer,
    hashNumber: createNumberHash(database, numberSealer),
    gathering: { fromItems: itemsUnderLoad, waitMs: batchWaitMs },
    outcomeGathering: { fromItems: itemsUnderLoad, enoughItems: enoughOutcomes, waitMs: outcomeWaitMs },
    startMessages: createDispatchStarter(starting, messageRows),
    startWebhooks: createDispatchStarter(starting, deliveryRows),
    startCodes: createDispatchStarter(starting, codeRows),
    startInbound: createDispatchStarter(starting, inboundRows),
    completeMessageDispatches: (ids) => completeDispatches(given, messageRows, ids),
    completeCodeDispatches: (ids) => {
      completeDispatches(given, codeRows, ids).catch((error: unknown) =>
        log.warn(
          { err: error },
          'dispatches were not notified that they are complete; their workflows will find out when they wake',
        ),
      );
    },
  };
}

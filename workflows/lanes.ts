import type { ActivityOptions } from '@temporalio/workflow';
import { taskQueues } from './contract.ts';

/**
 * A failed activity is tried until it succeeds: its rows are in Postgres, and no other workflow processes them. The
 * exception is a chunk of a bulk batch: the batch's activity submits it, and ten seconds later the chunk's own workflow
 * submits what is left.
 */
const retry = {
  initialInterval: '500 milliseconds',
  backoffCoefficient: 2,
  maximumInterval: '30 seconds',
} as const;

/**
 * Activities that submit or attempt rows. A missing heartbeat shows that a worker died. The outcome of its claims is
 * unknown until the claims expire.
 */
const claiming = { heartbeatTimeout: '10 seconds', startToCloseTimeout: '10 minutes', retry } as const;

/** The options of the activities of each lane: queue, timeouts and retries. */
export const lanes = {
  messages: { ...claiming, taskQueue: taskQueues.messages, summary: 'submits the messages that are due' },
  bulkMessages: {
    ...claiming,
    taskQueue: taskQueues.bulkMessages,
    summary: 'submits the bulk messages that are due',
  },
  webhooks: { ...claiming, taskQueue: taskQueues.webhooks, summary: 'attempts the webhooks that are due' },
  bulk: { ...claiming, taskQueue: taskQueues.bulk, summary: 'advances the batch' },
  inbound: {
    taskQueue: taskQueues.inbound,
    summary: 'processes the inbound messages that are due',
    retry,
    heartbeatTimeout: '15 seconds',
    startToCloseTimeout: '5 minutes',
  },
  imports: {
    taskQueue: taskQueues.imports,
    summary: 'imports the next rows',
    retry,
    heartbeatTimeout: '30 seconds',
    startToCloseTimeout: '30 minutes',
  },
  // A page is one transaction of a thousand rows or one bulk batch.
  privacy: {
    summary: 'discards the next page',
    taskQueue: taskQueues.privacy,
    startToCloseTimeout: '2 minutes',
    retry,
  },
  // A page is one transaction of a few hundred rows. If it takes longer, its worker has died.
  redrives: {
    summary: 'redrives the next page',
    taskQueue: taskQueues.redrives,
    startToCloseTimeout: '30 seconds',
    retry,
  },
  // The activity is one short transaction. If it takes longer, it has lost its worker, and the occurrence waits.
  schedules: {
    summary: 'creates the messages that are due',
    taskQueue: taskQueues.schedules,
    startToCloseTimeout: '20 seconds',
    retry,
  },
  securityCodes: {
    summary: 'expires the codes that are due',
    taskQueue: taskQueues.securityCodes,
    startToCloseTimeout: '30 seconds',
    retry,
  },
} as const satisfies Record<Exclude<keyof typeof taskQueues, 'workflows'>, ActivityOptions>;

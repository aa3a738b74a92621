import { Client, Connection, WorkflowNotFoundError, type WorkflowClient } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';
import proto from '@temporalio/proto';
import { taskQueues } from '../workflows/contract.ts';
import type { Log } from './log.ts';

/**
 * A client that connects when it is first used: the API starts, and takes messages, while Temporal is down.
 */
export function createTemporalClient(options: { address: string; namespace: string }): Client {
  const connection = Connection.lazy({
    address: options.address,
    // No retries within a call: what fails here the sweep repeats, and nobody is held up meanwhile.
    interceptors: [],
    // gRPC's own backoff grows to two minutes; a service that is back is to be noticed within seconds.
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': 200,
      'grpc.max_reconnect_backoff_ms': 2000,
    },
  });
  return new Client({ connection, namespace: options.namespace });
}

/** The organizations some of whose rows a workflow carries: what an operator searches the Web UI by. */
const organizationIdsAttribute = defineSearchAttributeKey(
  'OrganizationIds',
  SearchAttributeType.KEYWORD_LIST,
);

/** What a workflow carries: messages, webhooks, … */
const kindAttribute = defineSearchAttributeKey('Kind', SearchAttributeType.KEYWORD);

/** How long a call to Temporal may take; what it has not done by then the sweep repeats. */
const callTimeoutMs = 5000;

/**
 * Starts a workflow, again if one of this id has ended; one that runs already is success. With a signal, which is
 * then sent too, the one that runs is told of it. Rejects when Temporal does not take it within 5 seconds.
 *
 * @returns false when the signal found the workflow closing: then it is neither told, nor is another started
 */
export async function startWorkflow(
  workflowClient: WorkflowClient,
  workflow: {
    type: string;
    workflowId: string;
    /** Ids and nothing else: histories are for any operator to read. */
    input: object;
    organizationIds: string[];
    kind: string;
    /** What an operator reads in the Web UI's list. */
    summary?: string;
    signal?: string;
    /** How long it waits before it first acts; until then it runs, and costs nothing. */
    delaySeconds?: number;
  },
): Promise<boolean> {
  const { type, workflowId, input, organizationIds, kind, summary, signal, delaySeconds } = workflow;
  const options = {
    taskQueue: taskQueues.workflows,
    workflowId,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    args: [input],
    staticSummary: summary,
    ...(delaySeconds !== undefined && { startDelay: `${delaySeconds} seconds` as const }),
    typedSearchAttributes: new TypedSearchAttributes([
      { key: organizationIdsAttribute, value: organizationIds },
      { key: kindAttribute, value: kind },
    ]),
  } as const;
  try {
    await workflowClient.withDeadline(Date.now() + callTimeoutMs, async () =>
      signal === undefined
        ? workflowClient.start(type, { ...options, workflowIdConflictPolicy: 'USE_EXISTING' })
        : workflowClient.signalWithStart(type, { ...options, signal }),
    );
    return true;
  } catch (error) {
    if (isWorkflowClosing(error)) return false;
    throw error;
  }
}

/**
 * Sends a signal to a workflow. Rejects when Temporal does not take it within 5 seconds.
 *
 * @returns false when the workflow has ended, or is closing: there is nothing to tell it any more
 */
export async function signalWorkflow(
  workflowClient: WorkflowClient,
  workflowId: string,
  signal: string,
): Promise<boolean> {
  try {
    const handle = workflowClient.getHandle(workflowId);
    await workflowClient.withDeadline(Date.now() + callTimeoutMs, () => handle.signal(signal));
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError || isWorkflowClosing(error)) return false;
    throw error;
  }
}

/** RESOURCE_EXHAUSTED of gRPC. */
const resourceExhausted = 8;

/**
 * Whether a signal found its workflow about to end: then Temporal takes none, and answers RESOURCE_EXHAUSTED, as it
 * does to who asks too much, with another text (`ErrWorkflowClosing` of its history service).
 */
function isWorkflowClosing(error: unknown): boolean {
  const cause = (error as { cause?: { code?: number; details?: string } } | null)?.cause;
  return cause?.code === resourceExhausted && /workflow is closing/.test(cause.details ?? '');
}

/**
 * Registers the search attributes that our workflows carry, where they are missing: Temporal refuses to
 * start a workflow with one that it does not know. A server that lets only its operator do so is told of.
 */
export async function registerSearchAttributes(
  connection: Pick<Connection, 'operatorService'>,
  namespace: string,
  log: Log,
): Promise<void> {
  // A CommonJS module whose names Node does not see: only its default can be imported.
  const { INDEXED_VALUE_TYPE_KEYWORD, INDEXED_VALUE_TYPE_KEYWORD_LIST } =
    proto.temporal.api.enums.v1.IndexedValueType;
  const wanted = {
    [organizationIdsAttribute.name]: INDEXED_VALUE_TYPE_KEYWORD_LIST,
    [kindAttribute.name]: INDEXED_VALUE_TYPE_KEYWORD,
  };
  try {
    // The time-skipping server cannot list them; on one that just came up there are none.
    const listed = await connection.operatorService.listSearchAttributes({ namespace }).catch(() => null);
    const missing = Object.entries(wanted).filter(([name]) => !(name in (listed?.customAttributes ?? {})));
    if (missing.length === 0) return;
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing),
    });
  } catch (error) {
    log.warn(
      { err: error, searchAttributes: Object.keys(wanted) },
      'the search attributes could not be registered; no workflow starts until they are there',
    );
  }
}

import { Client, Connection, WorkflowNotFoundError, type WorkflowClient } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';
import proto from '@temporalio/proto';
import { taskQueues, waitingForAttributeName } from '../workflows/contract.ts';
import type { Log } from './log.ts';
import { repeatUntilStopped } from './repeat-until-stopped.ts';
import type { TemporalConnection } from './temporal-connection.ts';
import { sendTraceContext } from './trace-workflows.ts';
import { isTracing } from './tracing.ts';

/**
 * Creates a client that connects when it is first used: the API starts, and accepts messages, while Temporal is down.
 */
export function createTemporalClient(options: TemporalConnection & { namespace: string }): Client {
  const { namespace, ...target } = options;
  const connection = Connection.lazy({
    ...target,
    // No retries within a call: the sweep repeats what fails here, and no caller waits meanwhile.
    interceptors: [],
    // gRPC's default backoff grows to two minutes, but a recovered service should be noticed within seconds.
    channelArgs: {
      'grpc.initial_reconnect_backoff_ms': 200,
      'grpc.max_reconnect_backoff_ms': 2000,
    },
  });
  return new Client({
    connection,
    namespace,
    ...(isTracing() && { interceptors: { workflow: [sendTraceContext] } }),
  });
}

/** The organizations that have rows in a workflow. Operators search the Temporal Web UI by this attribute. */
const organizationIdsAttribute = defineSearchAttributeKey(
  'OrganizationIds',
  SearchAttributeType.KEYWORD_LIST,
);

/** The kind of rows that a workflow processes: messages, webhooks, … */
const kindAttribute = defineSearchAttributeKey('Kind', SearchAttributeType.KEYWORD);

/** The timeout for a call to Temporal. The sweep repeats a call that did not succeed. */
const callTimeoutMs = 5000;

/**
 * Starts a workflow, or starts it again if the one with this id has ended. If it already runs, the call succeeds. With
 * `signal`, the workflow also receives the signal. Rejects if Temporal does not accept the call within 5 seconds.
 *
 * @returns false if the workflow was closing: then it receives no signal, and no other workflow is started
 */
export async function startWorkflow(
  workflowClient: WorkflowClient,
  workflow: {
    type: string;
    workflowId: string;
    /** Only ids: every operator can read histories. */
    input: object;
    organizationIds: string[];
    kind: string;
    /** The summary that operators see in the list of the Temporal Web UI. */
    summary?: string;
    signal?: string;
    /** How long the workflow waits before it first acts. Until then it counts as running, and uses no resources. */
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
 * Sends a signal to a workflow. Rejects if Temporal does not accept the call within 5 seconds.
 *
 * @returns false if the workflow has ended or is closing: no signal is needed any more
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

/** gRPC's RESOURCE_EXHAUSTED. */
const resourceExhausted = 8;

/**
 * Returns whether a signal failed because its workflow was about to end. Temporal then returns RESOURCE_EXHAUSTED, as
 * it does for too many requests, but with a different text (`ErrWorkflowClosing` of its history service).
 */
function isWorkflowClosing(error: unknown): boolean {
  const cause = (error as { cause?: { code?: number; details?: string } } | null)?.cause;
  return cause?.code === resourceExhausted && /workflow is closing/.test(cause.details ?? '');
}

/**
 * Registers missing search attributes of the workflows: Temporal refuses to start a workflow with an unknown attribute.
 * If only the operator of the server may register them, a warning is logged.
 */
export async function registerSearchAttributes(
  connection: Pick<Connection, 'operatorService'>,
  namespace: string,
  log: Log,
): Promise<void> {
  try {
    // The time-skipping server cannot list them, and a new one has none.
    const missing = await findMissingAttributes(connection, namespace).catch(() => wantedAttributes());
    await addAttributes(connection, namespace, missing);
  } catch (error) {
    warnOfAttributes(log, error);
  }
}

/** How often a worker looks whether the search attributes exist. */
const attributesPauseMs = 10_000;

/**
 * Registers the search attributes again if they are missing: a Temporal that has lost its database comes back without
 * them, while the workers keep running. Until they exist no workflow starts, and none that waits for a retry goes on.
 *
 * Nothing happens while Temporal is down, or if only the operator may list the attributes.
 */
export function keepSearchAttributes(
  connection: Pick<Connection, 'operatorService'>,
  namespace: string,
  log: Log,
  pauseMs = attributesPauseMs,
): { stop: () => Promise<void> } {
  return repeatUntilStopped({
    pauseMs,
    round: async () => {
      const missing = await findMissingAttributes(connection, namespace).catch(() => ({}));
      await addAttributes(connection, namespace, missing);
    },
    onFailure: (error) => warnOfAttributes(log, error),
  });
}

type Attributes = Record<string, proto.temporal.api.enums.v1.IndexedValueType>;

function wantedAttributes(): Attributes {
  // A CommonJS module whose named exports Node does not detect: only its default can be imported.
  const { INDEXED_VALUE_TYPE_KEYWORD, INDEXED_VALUE_TYPE_KEYWORD_LIST } =
    proto.temporal.api.enums.v1.IndexedValueType;
  return {
    [organizationIdsAttribute.name]: INDEXED_VALUE_TYPE_KEYWORD_LIST,
    [kindAttribute.name]: INDEXED_VALUE_TYPE_KEYWORD,
    [waitingForAttributeName]: INDEXED_VALUE_TYPE_KEYWORD,
  };
}

async function findMissingAttributes(
  { operatorService }: Pick<Connection, 'operatorService'>,
  namespace: string,
): Promise<Attributes> {
  const { customAttributes } = await operatorService.listSearchAttributes({ namespace });
  const missing = Object.entries(wantedAttributes()).filter(([name]) => !(name in customAttributes));
  return Object.fromEntries(missing);
}

async function addAttributes(
  { operatorService }: Pick<Connection, 'operatorService'>,
  namespace: string,
  searchAttributes: Attributes,
): Promise<void> {
  if (Object.keys(searchAttributes).length === 0) return;
  await operatorService.addSearchAttributes({ namespace, searchAttributes });
}

function warnOfAttributes(log: Log, error: unknown): void {
  log.warn(
    { err: error, searchAttributes: Object.keys(wantedAttributes()) },
    'the search attributes could not be registered; no workflow starts until they exist',
  );
}

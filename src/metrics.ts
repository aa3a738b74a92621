import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** What this process measures. Names and units follow Prometheus' conventions ("Metric and label naming"). */
export const registry = new Registry();

const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

function counter<Label extends string = never>(name: string, help: string, labelNames: Label[] = []) {
  return new Counter({ name, help, labelNames, registers: [registry] });
}

function gauge<Label extends string = never>(name: string, help: string, labelNames: Label[] = []) {
  return new Gauge({ name, help, labelNames, registers: [registry] });
}

function histogram<Label extends string = never>(
  name: string,
  help: string,
  buckets: number[],
  labelNames: Label[] = [],
) {
  return new Histogram({ name, help, buckets, labelNames, registers: [registry] });
}

/**
 * Every metric of the service, in addition to those of Node.js and of Temporal's SDK. Labels have few values: operations,
 * statuses and codes, and never a phone number, a text, or the id of a message, a key or an organization.
 */
export const metrics = {
  requestDuration: histogram(
    'sms_http_request_duration_seconds',
    'Time from the headers of a request to the end of its response, by operationId of openapi.yaml.',
    requestSeconds,
    ['operation', 'status'],
  ),
  messagesCreated: counter('sms_messages_created_total', 'Messages stored, by what created them.', [
    'source',
  ]),
  statusesReached: counter('sms_messages_reached_status_total', 'Messages that reached a status.', [
    'status',
  ]),
  messagesFailed: counter('sms_messages_failed_total', 'Messages that failed, by error code.', [
    'error_code',
  ]),
  reports: counter('sms_delivery_reports_total', 'Delivery reports received, by what they report.', [
    'report',
  ]),
  submissions: counter('sms_gateway_submissions_total', 'Answered submissions, by outcome and reason.', [
    ...(['route', 'outcome', 'reason'] as const),
  ]),
  submissionDuration: histogram(
    'sms_gateway_request_duration_seconds',
    'Time of a submission, including the wait for a connection.',
    requestSeconds,
    ['route'],
  ),
  submissionsInFlight: gauge('sms_gateway_requests_in_flight', 'Submissions without an outcome.', ['route']),
  gatewayUp: gauge(
    'sms_gateway_up',
    'Whether the last submission was answered (1), or found the gateway unavailable or silent (0).',
    ['route'],
  ),
  dispatchRows: histogram(
    'sms_dispatch_rows',
    'Number of rows that a dispatch starts with.',
    [1, 2, 5, 10, 20, 50, 100, 200, 400, 600],
    ['kind'],
  ),
  sweepStarts: counter(
    'sms_sweep_starts_total',
    'Workflows that the sweep started, because their first start was lost or because they did not act in time.',
    ['kind'],
  ),
  rowsWithoutDispatch: gauge(
    'sms_rows_without_dispatch',
    'Rows that wait for a dispatch, up to 10000. Rows of the last seconds are normal.',
    ['kind'],
  ),
  oldestDue: gauge(
    'sms_oldest_due_seconds',
    'How long the row that is due for the longest time has waited; 0 if none is due.',
    ['kind'],
  ),
  webhookAttempts: counter('sms_webhook_attempts_total', 'Attempts to deliver a webhook, by outcome.', [
    'outcome',
  ]),
  webhookDuration: histogram(
    'sms_webhook_request_duration_seconds',
    'Time of a webhook request.',
    requestSeconds,
  ),
  webhookDeliveries: gauge(
    'sms_webhook_deliveries',
    'Webhook deliveries in the dead-letter queue (status dead), up to 100000.',
    ['status'],
  ),
  securityCodeAlarms: gauge(
    'sms_security_code_alarms',
    'Alarms that last about security codes that are not verified, by what happens to new codes (refused, sent).',
    ['state'],
  ),
  bulkBatches: gauge('sms_bulk_batches', 'Bulk batches that are being sent (status processing).', ['status']),
  streamsOpen: gauge('sms_event_streams_open', 'Open server-sent event streams.'),
  databaseConnections: gauge(
    'sms_database_connections',
    'Connections of the pool, and requests that wait for one.',
    ['state'],
  ),
  simulatorMessages: gauge('sms_simulator_messages', 'Messages of the simulator since its start, by state.', [
    'state',
  ]),
  partUp: gauge('sms_part_up', 'Whether a part that this process needs can be reached: 1 or 0.', ['part']),
};

let isMeasured = false;

/** Measures the process itself: CPU, memory, event loop, garbage collection. A second call changes nothing. */
export function measureProcess(): void {
  if (isMeasured) return;
  isMeasured = true;
  collectDefaultMetrics({ register: registry });
}

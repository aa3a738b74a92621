/** A panel: what it shows, and its queries with the text of their legend. */
interface Panel {
  title: string;
  description: string;
  unit: 'reqps' | 's' | 'short' | 'percentunit' | 'bytes' | 'ops';
  queries: [expr: string, legend: string][];
}

const rate = (metric: string, by: string, filter = ''): string =>
  `sum by (${by}) (rate(${metric}${filter}[$__rate_interval]))`;
const quantile = (of: number, metric: string, by: string): string =>
  `histogram_quantile(${of}, sum by (le${by && `, ${by}`}) (rate(${metric}_bucket[$__rate_interval])))`;

/** The rows of the dashboard, from what users notice to what causes it. */
const rows: Record<string, Panel[]> = {
  Messages: [
    {
      title: 'Accepted, submitted, delivered',
      description: 'In a healthy service the three lines lie on each other, a few seconds apart.',
      unit: 'ops',
      queries: [
        [rate('sms_messages_created_total', 'source'), 'created, {{source}}'],
        [rate('sms_messages_reached_status_total', 'status'), '{{status}}'],
      ],
    },
    {
      title: 'Failed, by error code',
      description: 'The error codes of docs/errors. validity_expired and dlr_timeout point to the gateway.',
      unit: 'ops',
      queries: [[rate('sms_messages_failed_total', 'error_code'), '{{error_code}}']],
    },
    {
      title: 'Oldest due row',
      description:
        'How long the row that is due for the longest time has waited. Seconds are normal, minutes are not.',
      unit: 's',
      queries: [['max by (kind) (sms_oldest_due_seconds)', '{{kind}}']],
    },
    {
      title: 'Delivery reports',
      description: 'By what they report.',
      unit: 'ops',
      queries: [[rate('sms_delivery_reports_total', 'report'), '{{report}}']],
    },
  ],
  Gateway: [
    {
      title: 'Submissions, by outcome',
      description: 'unavailable is retried; doubtful waits for a report before it is repeated.',
      unit: 'ops',
      queries: [
        [rate('sms_gateway_submissions_total', 'route, outcome, reason'), '{{route}} {{outcome}} {{reason}}'],
      ],
    },
    {
      title: 'Gateway up',
      description: '1: the last submission was answered. 0: the gateway was unavailable or silent.',
      unit: 'short',
      queries: [['max by (route) (sms_gateway_up)', '{{route}}']],
    },
    {
      title: 'Duration of a submission',
      description: 'With the wait for a connection.',
      unit: 's',
      queries: [
        [quantile(0.5, 'sms_gateway_request_duration_seconds', 'route'), '{{route}} median'],
        [quantile(0.99, 'sms_gateway_request_duration_seconds', 'route'), '{{route}} 99th percentile'],
      ],
    },
    {
      title: 'Submissions in flight',
      description:
        'At most GATEWAY_CONNECTIONS and BULK_GATEWAY_CONNECTIONS for each worker are at the gateway; others wait.',
      unit: 'short',
      queries: [['sum by (route) (sms_gateway_requests_in_flight)', '{{route}}']],
    },
    {
      title: 'Simulator',
      description: 'Messages of test keys.',
      unit: 'short',
      queries: [['max by (state) (sms_simulator_messages)', '{{state}}']],
    },
  ],
  Webhooks: [
    {
      title: 'Attempts, by outcome',
      description: 'retrying: a later attempt follows. dead: the last attempt failed.',
      unit: 'ops',
      queries: [[rate('sms_webhook_attempts_total', 'outcome'), '{{outcome}}']],
    },
    {
      title: 'Duration of a request',
      description: 'Of all receivers.',
      unit: 's',
      queries: [
        [quantile(0.5, 'sms_webhook_request_duration_seconds', ''), 'median'],
        [quantile(0.99, 'sms_webhook_request_duration_seconds', ''), '99th percentile'],
      ],
    },
    {
      title: 'Dead-letter queue',
      description: 'Deliveries that wait for a redrive.',
      unit: 'short',
      queries: [['max by (status) (sms_webhook_deliveries)', '{{status}}']],
    },
  ],
  'Security codes': [
    {
      title: 'Alarms that last',
      description:
        'Prefixes to which few codes are verified. refused: new codes are refused. sent: they are sent.',
      unit: 'short',
      queries: [['max by (state) (sms_security_code_alarms)', '{{state}}']],
    },
  ],
  API: [
    {
      title: 'Requests, by status',
      description: '',
      unit: 'reqps',
      queries: [[rate('sms_http_request_duration_seconds_count', 'status'), '{{status}}']],
    },
    {
      title: 'Requests, by operation',
      description: 'The ten most frequent.',
      unit: 'reqps',
      queries: [
        [`topk(10, ${rate('sms_http_request_duration_seconds_count', 'operation')})`, '{{operation}}'],
      ],
    },
    {
      title: '99th percentile, by operation',
      description: 'The ten slowest.',
      unit: 's',
      queries: [
        [`topk(10, ${quantile(0.99, 'sms_http_request_duration_seconds', 'operation')})`, '{{operation}}'],
      ],
    },
    {
      title: 'Open streams',
      description: 'Server-sent events.',
      unit: 'short',
      queries: [['sum(sms_event_streams_open)', 'streams']],
    },
  ],
  Dispatches: [
    {
      title: 'Rows of a dispatch',
      description: 'Under load dispatches grow to hundreds of rows; at rest they have one.',
      unit: 'short',
      queries: [[quantile(0.5, 'sms_dispatch_rows', 'kind'), '{{kind}} median']],
    },
    {
      title: 'Rows without a dispatch',
      description: 'Rows of the last seconds are normal.',
      unit: 'short',
      queries: [['max by (kind) (sms_rows_without_dispatch)', '{{kind}}']],
    },
    {
      title: 'Started by the sweep',
      description: 'Starts that were lost, and workflows that did not act in time.',
      unit: 'ops',
      queries: [[rate('sms_sweep_starts_total', 'kind'), '{{kind}}']],
    },
    {
      title: 'Bulk batches',
      description: '',
      unit: 'short',
      queries: [['max by (status) (sms_bulk_batches)', '{{status}}']],
    },
  ],
  Processes: [
    {
      title: 'Parts that can be reached',
      description: '1: yes, 0: no.',
      unit: 'short',
      queries: [['min by (job, part) (sms_part_up)', '{{job}} {{part}}']],
    },
    {
      title: 'Database connections',
      description: 'waiting: queries that wait for a connection of the pool.',
      unit: 'short',
      queries: [['sum by (job, state) (sms_database_connections)', '{{job}} {{state}}']],
    },
    {
      title: 'CPU',
      description: 'One is a whole processor.',
      unit: 'percentunit',
      queries: [[rate('process_cpu_seconds_total', 'job, instance'), '{{job}} {{instance}}']],
    },
    {
      title: 'Event loop delay, 99th percentile',
      description: '',
      unit: 's',
      queries: [['max by (job) (nodejs_eventloop_lag_p99_seconds)', '{{job}}']],
    },
    {
      title: 'Memory',
      description: 'Resident set.',
      unit: 'bytes',
      queries: [['sum by (job, instance) (process_resident_memory_bytes)', '{{job}} {{instance}}']],
    },
    {
      title: 'Activities of Temporal: from their schedule to their start',
      description: 'Seconds here mean too few workers, or too few slots of a lane.',
      unit: 's',
      queries: [
        [
          quantile(0.99, 'temporal_activity_schedule_to_start_latency_seconds', 'task_queue'),
          '{{task_queue}}',
        ],
      ],
    },
  ],
};

const [columns, width, height] = [24, 6, 8];

/** Returns the dashboard for Grafana 10 and later as JSON. Its data source is chosen when it is imported. */
export function printGrafanaDashboard(): string {
  const datasource = { type: 'prometheus', uid: '${datasource}' };
  const panels: object[] = [];
  let y = 0;
  for (const [title, ofRow] of Object.entries(rows)) {
    panels.push({ type: 'row', title, collapsed: false, gridPos: { x: 0, y, w: columns, h: 1 }, panels: [] });
    y += 1;
    ofRow.forEach((panel, index) => {
      const x = (index * width) % columns;
      if (index > 0 && x === 0) y += height;
      panels.push({
        type: 'timeseries',
        title: panel.title,
        description: panel.description,
        datasource,
        gridPos: { x, y, w: width, h: height },
        fieldConfig: { defaults: { unit: panel.unit, min: 0 }, overrides: [] },
        options: {
          legend: { displayMode: 'list', placement: 'bottom' },
          tooltip: { mode: 'multi', sort: 'desc' },
        },
        targets: panel.queries.map(([expr, legendFormat], at) => ({
          ...{ refId: String.fromCharCode(65 + at), datasource, expr, legendFormat },
        })),
      });
    });
    y += height;
  }
  const dashboard = {
    uid: 'sms-service',
    title: 'SMS service',
    tags: ['sms'],
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus' }],
    },
    panels: panels.map((panel, index) => ({ id: index + 1, ...panel })),
  };
  return `${JSON.stringify(dashboard, null, 2)}\n`;
}

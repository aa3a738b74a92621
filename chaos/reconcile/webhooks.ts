import type { AttemptRow, DeliveryRow, Evidence, Finding, MessageRow, ReceivedWebhook } from '../evidence.ts';

/** The events that are due for a message, in their order. */
function dueEvents({ status, acceptedAt, sentAt }: MessageRow): string[] {
  return [
    ...(acceptedAt === null ? [] : ['message.accepted']),
    ...(sentAt === null ? [] : ['message.sent']),
    ...(status === 'delivered' || status === 'failed' ? [`message.${status}`] : []),
  ];
}

/** Each event of a message with a webhook is stored once, delivered, and was received. */
export function reconcileWebhooks({ rows, received }: Evidence): Finding[] {
  const deliveriesOf = Map.groupBy(rows.deliveries, ({ messageId }) => messageId);
  const taken = new Set(received.flatMap(({ answer, deliveryId }) => (answer === 'ok' ? [deliveryId] : [])));
  return rows.messages.flatMap((message): Finding[] => {
    const deliveries = (deliveriesOf.get(message.id) ?? []).toSorted(byPosition);
    const due = message.webhookUrl === null ? [] : dueEvents(message);
    const stored = deliveries.map(({ event }) => event);
    return [
      ...(due.join() === stored.join()
        ? []
        : [
            {
              check: 'the webhooks of a message are those that are due',
              detail: `${message.id}: due ${due.join(', ')}; stored ${stored.join(', ')}`,
            },
          ]),
      ...deliveries.flatMap(({ id, event, status }): Finding[] => {
        const name = `${event} of ${message.id} (${id})`;
        if (status !== 'delivered')
          return [{ check: 'each webhook is delivered', detail: `${name} is ${status}` }];
        if (!taken.has(id)) {
          return [{ check: 'a delivered webhook was received', detail: `${name} never got a 200` }];
        }
        return [];
      }),
    ];
  });
}

/** Each webhook that arrives is stored, signed, consistent, and the same each time. */
export function reconcileReceived({ rows, received }: Evidence): Finding[] {
  const stored = new Set(rows.deliveries.map(({ id }) => id));
  const bodies = new Map<string, string>();
  return received.flatMap(({ deliveryId, body, isSigned, isConsistent }): Finding[] => {
    const first = bodies.get(deliveryId) ?? body;
    bodies.set(deliveryId, first);
    return [
      ...(stored.has(deliveryId)
        ? []
        : [{ check: 'a received webhook is stored', detail: `${deliveryId} is not` }]),
      ...(isSigned ? [] : [{ check: 'a webhook has a valid signature', detail: `${deliveryId} has not` }]),
      ...(isConsistent
        ? []
        : [{ check: "a webhook's headers are those of its envelope", detail: `${deliveryId} differs` }]),
      ...(first === body
        ? []
        : [{ check: 'a webhook is the same at each attempt', detail: `${deliveryId} changed` }]),
    ];
  });
}

/**
 * The first attempt of an event begins after those of all earlier events have ended. So an event arrives before a later
 * one of the same message, unless its first attempt failed, or has no outcome because its worker died.
 */
export function reconcileOrder({ rows, received }: Evidence): Finding[] {
  const firstArrival = new Map<string, number>();
  received.forEach(({ deliveryId }, index) => {
    if (!firstArrival.has(deliveryId)) firstArrival.set(deliveryId, index);
  });
  const firstAttempts = new Map(
    rows.attempts.flatMap((attempt) =>
      attempt.number === 1 ? [[attempt.deliveryId, attempt] as const] : [],
    ),
  );
  return [...Map.groupBy(rows.deliveries, ({ messageId }) => messageId)].flatMap(
    ([messageId, deliveries]) => {
      const inOrder = deliveries.toSorted(byPosition);
      return inOrder.slice(1).flatMap((later, index): Finding[] => {
        const earlier = inOrder[index]!;
        const [before, after] = [firstArrival.get(earlier.id), firstArrival.get(later.id)];
        if (before === undefined || after === undefined || before < after) return [];
        if (!hasSucceeded(firstAttempts.get(earlier.id))) return [];
        return [
          {
            check: 'the events of a message arrive in order',
            detail: `${messageId}: ${later.event} arrived before ${earlier.event}`,
          },
        ];
      });
    },
  );
}

function byPosition(one: DeliveryRow, other: DeliveryRow): number {
  return one.position - other.position;
}

function hasSucceeded(attempt: AttemptRow | undefined): boolean {
  const status = attempt?.responseStatus ?? 0;
  return attempt !== undefined && attempt.error === null && status >= 200 && status < 300;
}

/**
 * A webhook is repeated only after an attempt that failed, or whose outcome was not stored. A worker whose clock is ahead
 * takes the claim of an attempt that is in progress for one that has ended.
 */
export function reconcileRepetitions({ rows, received, made }: Evidence): Finding[] {
  const attemptsOf = Map.groupBy(rows.attempts, ({ deliveryId }) => deliveryId);
  const requestsOf = Map.groupBy(received, ({ deliveryId }: ReceivedWebhook) => deliveryId);
  return [...requestsOf].flatMap(([deliveryId, requests]): Finding[] => {
    const attempts = attemptsOf.get(deliveryId) ?? [];
    const findings: Finding[] = [];
    if (requests.length > attempts.length) {
      findings.push({
        check: 'each webhook request is an attempt',
        detail: `${deliveryId}: ${requests.length} requests, ${attempts.length} attempts`,
      });
    }
    const repeatedAfterSuccess = attempts.slice(0, -1).filter(hasSucceeded);
    if (repeatedAfterSuccess.length > 0 && !made.some(({ fault }) => fault.kind === 'step-clock')) {
      findings.push({
        check: 'a webhook that was taken is not repeated',
        detail: `${deliveryId}: attempt ${repeatedAfterSuccess[0]!.number} of ${attempts.length} succeeded`,
      });
    }
    return findings;
  });
}

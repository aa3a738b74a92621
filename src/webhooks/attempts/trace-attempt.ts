import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { activeTraceparent, contextOf, inSpan, linksTo } from '../../tracing.ts';
import type { DeliveryAnswer } from './attempt-delivery.ts';
import type { ClaimedDelivery } from './claim-due-deliveries.ts';

/**
 * Records a client span for one attempt, in the trace of the request that stored the message, with a link to the
 * activity. A message without such a trace begins its own. The URL is left out, because it may contain a key.
 *
 * @param attempt takes the W3C `traceparent` to send; undefined while tracing is off
 */
export function traceAttempt(
  delivery: ClaimedDelivery & { traceparent?: string | undefined },
  attempt: (traceparent: string | undefined) => Promise<DeliveryAnswer>,
): Promise<DeliveryAnswer> {
  return inSpan(
    `webhook ${delivery.event}`,
    {
      kind: SpanKind.CLIENT,
      attributes: {
        'http.request.method': 'POST',
        'sms.message.id': delivery.messageId,
        'sms.webhook.id': delivery.id,
        'sms.attempt': delivery.attempt,
      },
      links: linksTo([activeTraceparent()]),
      parent: contextOf(delivery.traceparent),
    },
    async (span) => {
      const answer = await attempt(activeTraceparent());
      if (answer.status !== null) span?.setAttribute('http.response.status_code', answer.status);
      if (answer.error !== null) span?.setAttribute('error.type', answer.error);
      if (answer.error !== null || (answer.status ?? 0) >= 400)
        span?.setStatus({ code: SpanStatusCode.ERROR });
      return answer;
    },
  );
}

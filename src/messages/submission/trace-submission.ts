import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { SubmissionOutcome } from '../../gateway/kannel.ts';
import { activeTraceparent, contextOf, inSpan, linksTo } from '../../tracing.ts';
import type { ClaimedMessage } from './claim-due-messages.ts';

/**
 * Records a client span for one submission, in the trace of the request that stored the message, with a link to the
 * activity. A message without such a trace, for example of a bulk batch, begins its own: a batch of a hundred thousand
 * messages must not become one trace.
 */
export function traceSubmission(
  message: ClaimedMessage & { traceparent?: string | undefined },
  submit: () => Promise<SubmissionOutcome>,
): Promise<SubmissionOutcome> {
  const { id, environment, attempts, traceparent } = message;
  return inSpan(
    'submit message',
    {
      kind: SpanKind.CLIENT,
      attributes: { 'sms.message.id': id, 'sms.environment': environment, 'sms.attempt': attempts },
      links: linksTo([activeTraceparent()]),
      parent: contextOf(traceparent),
    },
    async (span) => {
      const answer = await submit();
      span?.setAttributes({ 'sms.outcome': answer.outcome, ...codesOf(answer) });
      if (answer.outcome !== 'accepted') span?.setStatus({ code: SpanStatusCode.ERROR });
      return answer;
    },
  );
}

/** The codes of an outcome. Its other facts are words of the gateway. */
function codesOf(outcome: SubmissionOutcome): Record<string, string | number> {
  switch (outcome.outcome) {
    case 'accepted':
      return {};
    case 'refused':
      return { 'error.type': outcome.errorCode };
    case 'unavailable':
    case 'doubtful':
      return { 'error.type': outcome.reason };
  }
}

import { SpanKind } from '@opentelemetry/api';
import type { Context } from '@temporalio/activity';
import type { WorkflowClientInterceptor } from '@temporalio/client';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import type { ActivityInterceptors } from '@temporalio/worker';
import { traceHeaderName } from '../workflows/contract.ts';
import { activeTraceparent, contextOf, inSpan } from './tracing.ts';

/** Sends the active span with the start of a workflow. `workflows/pass-trace-context.ts` passes it to activities. */
export const sendTraceContext: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next({ ...input, headers: withTraceparent(input.headers) }),
  signalWithStart: (input, next) => next({ ...input, headers: withTraceparent(input.headers) }),
};

/** Records a span for each attempt of an activity, in the trace of its workflow's start. */
export function traceActivities({ info }: Context): ActivityInterceptors {
  return {
    inbound: {
      execute: (input, next) =>
        inSpan(
          info.activityType,
          {
            kind: SpanKind.CONSUMER,
            attributes: {
              'sms.workflow.id': info.workflowExecution?.workflowId ?? '',
              'sms.activity.attempt': info.attempt,
            },
            parent: contextOf(readTraceparent(input.headers)),
          },
          () => next(input),
        ),
    },
  };
}

function withTraceparent(headers: Headers): Headers {
  const traceparent = activeTraceparent();
  if (traceparent === undefined) return headers;
  return { ...headers, [traceHeaderName]: defaultPayloadConverter.toPayload(traceparent) };
}

function readTraceparent(headers: Headers): unknown {
  const payload = headers[traceHeaderName];
  return payload && defaultPayloadConverter.fromPayload(payload);
}

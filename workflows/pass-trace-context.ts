import type { WorkflowInterceptors } from '@temporalio/workflow';
import { traceHeaderName } from './contract.ts';

/** Passes the trace context of a workflow's start to its activities and to its next run. It is never read here. */
export function interceptors(): WorkflowInterceptors {
  let header = {};
  return {
    inbound: [
      {
        execute: (input, next) => {
          const given = input.headers[traceHeaderName];
          if (given) header = { [traceHeaderName]: given };
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next({ ...input, headers: { ...input.headers, ...header } }),
        continueAsNew: (input, next) => next({ ...input, headers: { ...input.headers, ...header } }),
      },
    ],
  };
}

import type { Log } from '../log.ts';
import { createOutageLog } from '../log-outages.ts';
import { metrics } from '../metrics.ts';
import type { Gateway } from './kannel.ts';
import type { SubmissionOutcome } from './kannel-answers.ts';

/** Returns the gateway, measures each submission to it under the name of its route, and logs its outages. */
export function measureGateway(gateway: Gateway, route: string, log: Log): Gateway {
  const outages = createOutageLog(log, 'the gateway', { route });
  return {
    close: () => gateway.close(),
    submit: async (submission) => {
      metrics.submissionsInFlight.inc({ route });
      const startedAt = performance.now();
      const outcome = await gateway.submit(submission);
      metrics.submissionDuration.observe({ route }, (performance.now() - startedAt) / 1000);
      metrics.submissionsInFlight.dec({ route });
      metrics.submissions.inc({ route, outcome: outcome.outcome, reason: reasonOf(outcome) });
      const isAnswered = outcome.outcome === 'accepted' || outcome.outcome === 'refused';
      metrics.gatewayUp.set({ route }, isAnswered ? 1 : 0);
      if (isAnswered) outages.succeeded();
      else outages.failed(outcome.reason);
      return outcome;
    },
  };
}

/** The reason of an outcome, which is one of a few codes; empty if the gateway accepted the message. */
function reasonOf(outcome: SubmissionOutcome): string {
  if (outcome.outcome === 'accepted') return outcome.queued ? 'queued' : '';
  return outcome.outcome === 'refused' ? outcome.errorCode : outcome.reason;
}

import { SmsApiError, type SmsClient } from 'sms-service-client';
import type { DeliveryFilters } from './deliveries.ts';

export interface RedriveProgress {
  done: number;
  /** Those that somebody else has redriven meanwhile. */
  skipped: number;
  all: number;
}

/** Redrives the dead deliveries of an organization one after the other, until all are done or the signal says to stop. */
export async function redriveDead(
  sms: SmsClient,
  scope: { organizationId: string } & Pick<DeliveryFilters, 'environment'>,
  report: (progress: RedriveProgress) => void,
  signal: AbortSignal,
): Promise<void> {
  const { organizationId, environment } = scope;
  const filter = { organizationId, status: 'dead' as const, limit: 200, ...(environment && { environment }) };
  const progress = { done: 0, skipped: 0, all: 0 };
  report({ ...progress });
  const ids: string[] = [];
  for await (const { id } of sms.webhookDeliveries.list(filter, { signal })) ids.push(id);
  progress.all = ids.length;
  for (const id of ids) {
    if (signal.aborted) return;
    report({ ...progress });
    try {
      await sms.webhookDeliveries.redrive(id, { organizationId });
      progress.done += 1;
    } catch (error) {
      if (!(error instanceof SmsApiError) || (error.status !== 409 && error.status !== 404)) throw error;
      progress.skipped += 1;
    }
  }
  report({ ...progress });
}

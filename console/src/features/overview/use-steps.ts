import { queryOptions, useQueries } from '@tanstack/react-query';
import { sms } from '../../api.ts';
import { apiKeysQuery } from '../api-keys/api-keys.ts';
import { newestMessagesQuery } from '../messages/messages.ts';
import { useOrganization } from '../organizations/organization.ts';
import { senderIdsQuery } from '../sender-ids/sender-ids.ts';

export type StepName = 'sender' | 'key' | 'message' | 'webhook';

export interface Step {
  name: StepName;
  /** `waiting`: the reader has done their part, and someone or something else has not yet. */
  state: 'open' | 'waiting' | 'done';
}

interface Steps {
  steps: Step[];
  isPending: boolean;
  error: Error | null;
  refetch: () => void;
}

function newestDeliveriesQuery(organizationId: string) {
  return queryOptions({
    queryKey: [organizationId, 'webhook-deliveries', 'newest'],
    queryFn: ({ signal }) => sms.webhookDeliveries.list({ organizationId, limit: 1 }, { signal }).page(),
    refetchInterval: 5_000,
  });
}

/** The first steps of an organization, derived from what it has. Members do not manage senders and keys. */
export function useSteps(): Steps {
  const { organizationId, isManager } = useOrganization();
  const [senders, keys, messages, deliveries] = useQueries({
    queries: [
      { ...senderIdsQuery(organizationId), refetchInterval: 10_000 },
      { ...apiKeysQuery(organizationId), enabled: isManager },
      newestMessagesQuery(organizationId),
      newestDeliveriesQuery(organizationId),
    ],
  });
  const hasApproved = senders.data?.data.some(({ status }) => status === 'approved') ?? false;
  const isPendingReview = senders.data?.data.some(({ status }) => status === 'pending') ?? false;
  const hasKey = keys.data?.data.some(({ revokedAt }) => revokedAt === null) ?? false;
  const hasDelivered = messages.data?.data.some(({ status }) => status === 'delivered') ?? false;
  const hasMessage = (messages.data?.data.length ?? 0) > 0;
  const hasDelivery = (deliveries.data?.data.length ?? 0) > 0;
  const read = isManager ? [senders, keys, messages, deliveries] : [messages, deliveries];
  const forManagers: Step[] = [
    { name: 'sender', state: hasApproved ? 'done' : isPendingReview ? 'waiting' : 'open' },
    { name: 'key', state: hasKey ? 'done' : 'open' },
  ];
  return {
    steps: [
      ...(isManager ? forManagers : []),
      { name: 'message', state: hasDelivered ? 'done' : hasMessage ? 'waiting' : 'open' },
      { name: 'webhook', state: hasDelivery ? 'done' : 'open' },
    ],
    isPending: read.some((query) => query.isPending),
    error: read.find((query) => query.error !== null)?.error ?? null,
    refetch: () => read.forEach((query) => void query.refetch()),
  };
}

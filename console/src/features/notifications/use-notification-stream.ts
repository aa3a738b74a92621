import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import type { Notification } from 'sms-service-client';
import { sms } from '../../api.ts';
import { useToast } from '../../design/toast.tsx';
import { useOrganization } from '../organizations/organization.ts';

/** The resources that have changed when a notification of a kind arrives. */
const changedResources: Record<Notification['kind'], string[]> = {
  sender_id_reviewed: ['sender-ids'],
  batch_completed: ['bulk-sms'],
  batch_failed: ['bulk-sms'],
  schedule_missed: ['schedules'],
  webhook_dead: ['webhook-deliveries'],
  inbound_failed: ['inbound'],
  security_codes_unverified: ['security-codes'],
  invitation_received: ['invitations'],
};

const pauseAfterRefusalMs = 10_000;

/**
 * Shows notifications when they happen, and reads again what they are about. The client reconnects by itself and goes on
 * after the last notification; only a stream that could not be opened at all is opened again here.
 */
export function useNotificationStream(): void {
  const queryClient = useQueryClient();
  const { organizationId } = useOrganization();
  const toast = useToast();
  const receive = useEffectEvent(({ kind, title, body }: Notification) => {
    toast({ title, description: body, kind: kind === 'sender_id_reviewed' ? 'success' : 'news' });
    for (const resource of ['notifications', ...changedResources[kind]]) {
      void queryClient.invalidateQueries({ queryKey: [organizationId, resource] });
    }
  });
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const listen = async (): Promise<void> => {
      try {
        const stream = sms.notifications.stream({ organizationId }, { signal: stop.signal });
        for await (const notification of stream) receive(notification);
      } catch {
        // Why it was refused, the other requests of the page say: there is no connection, or no session.
      }
      if (!stop.signal.aborted) timer = setTimeout(() => void listen(), pauseAfterRefusalMs);
    };
    void listen();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [organizationId]);
}

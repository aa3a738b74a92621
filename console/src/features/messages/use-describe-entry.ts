import type { MessageTimeline } from 'sms-service-client';
import { useFormat, type Format } from '../../i18n/format.ts';
import type { Translate } from '../../i18n/catalogue.ts';
import type { en } from './text.en.ts';
import { useText } from './text.ts';

export type TimelineEntry = MessageTimeline['data'][number];

interface DescribedEntry {
  title: string;
  detail: string;
  isTrouble: boolean;
}

/** Returns what says an entry of a timeline in words. */
export function useDescribeEntry(): (entry: TimelineEntry) => DescribedEntry {
  const t = useText();
  const format = useFormat();
  return (entry) => describe(entry, t, format);
}

function describe(entry: TimelineEntry, t: Translate<typeof en>, format: Format): DescribedEntry {
  const say = (title: string, detail: (string | null)[] = [], isTrouble = false): DescribedEntry => ({
    title,
    detail: detail.filter((part) => part !== null && part !== '').join(' · '),
    isTrouble,
  });
  switch (entry.kind) {
    case 'queued':
      return say(t('entryQueued'));
    case 'submission_attempted':
      return say(t('entryAttempted', { attempt: entry.attempt }), [
        entry.possibleDuplicate ? t('possibleDuplicate') : null,
      ]);
    case 'submission_answered': {
      const isAccepted = entry.outcome === 'accepted';
      const title = {
        accepted: t('answerAccepted'),
        refused: t('answerRefused'),
        unavailable: t('answerNone'),
      };
      const status = entry.httpStatus === null ? null : t('httpStatus', { status: String(entry.httpStatus) });
      return say(title[entry.outcome], [status, entry.errorCode, entry.reason], !isAccepted);
    }
    case 'submission_doubtful':
      return say(t('entryDoubtful'), [t('entryDoubtfulHint'), entry.reason], true);
    case 'report_received': {
      const isTrouble = entry.report === 'undelivered' || entry.report === 'smsc_rejected';
      return say(t(`report_${entry.report}`), [entry.smscId, entry.providerMessageId], isTrouble);
    }
    case 'redriven':
      return say(t('entryRedriven'), [entry.messageId]);
    case 'redrive_of':
      return say(t('entryRedriveOf'), [entry.messageId]);
    case 'expired':
      return say(t('entryExpired'), [entry.errorCode], true);
    case 'suppressed':
      return say(t('entrySuppressed'), [], true);
    case 'refused':
      return say(t('entryRefused'), [entry.errorCode], true);
    case 'cancelled':
      return say(t('entryCancelled'));
    case 'webhook_created':
      return say(t('webhookCreated', { event: entry.event }), [entry.url]);
    case 'webhook_attempted': {
      const { responseStatus, durationMs, error } = entry;
      const status = responseStatus === null ? error : t('httpStatus', { status: String(responseStatus) });
      const took = durationMs === null ? t('inProgress') : format.duration(durationMs);
      const isTrouble = error !== null || (responseStatus !== null && responseStatus >= 300);
      return say(
        t('webhookAttempted', { event: entry.event, attempt: entry.attempt }),
        [status, took],
        isTrouble,
      );
    }
  }
}

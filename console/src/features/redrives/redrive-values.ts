import type { MessageRedriveInput } from 'sms-service-client';

/** The choice that filters nothing. */
export const anyValue = 'any';

export const errorCodes = [
  ...(['dlr_timeout', 'gateway_rejected', 'not_routable'] as const),
  ...(['smsc_rejected', 'undelivered', 'validity_expired'] as const),
];

interface RedriveValues {
  kind: 'messages' | 'webhook_deliveries';
  /** Times as the browser's fields write them: in the reader's zone, without naming it. */
  from: string;
  to: string;
  errorCode: string;
  lastError: string;
  environment: string;
  organizationId: string;
  limit: string;
}

/** The entries of the form as the API takes them. What is empty filters nothing. */
export function toRedriveInput(values: RedriveValues): MessageRedriveInput {
  const { kind, from, to, environment, organizationId, limit } = values;
  const entered = kind === 'messages' ? values.errorCode : values.lastError.trim();
  const code = entered === '' || entered === anyValue ? undefined : entered;
  return {
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    ...(code && { errorCode: code as NonNullable<MessageRedriveInput['errorCode']> }),
    ...(environment !== anyValue && { environment: environment as 'live' | 'test' }),
    ...(organizationId.trim() && { organizationId: organizationId.trim() }),
    ...(limit && { limit: Number(limit) }),
  };
}

/** The time up to now, by default 24 hours, in whole minutes, as the fields of the browser write them. */
export function rangeUpTo(now: Date, from?: string): { from: string; to: string } {
  const nextMinute = Math.ceil(now.getTime() / 60_000) * 60_000;
  const start = from === undefined ? nextMinute - 86_400_000 : Date.parse(from);
  return { from: toFieldValue(new Date(start)), to: toFieldValue(new Date(nextMinute)) };
}

function toFieldValue(time: Date): string {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

import type { MessageInput } from 'sms-service-client';

/** What the form for a message holds. */
export interface SendValues {
  to: string;
  text: string;
  from: string;
  environment: 'live' | 'test';
}

/** Stands for the organization's default sender: a choice cannot have an empty value. */
export const defaultSender = 'default';

/** What the API gets for the values of the form. */
export function toMessageInput(values: SendValues, organizationId: string): MessageInput {
  const { to, text, from, environment } = values;
  return { organizationId, to, text, environment, ...(from !== defaultSender && { from }) };
}

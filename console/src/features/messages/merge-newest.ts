import type { ListMessagesResponse, Message } from 'sms-service-client';

/**
 * Brings a list up to date with its newest page: new messages come first, statuses are the current ones, and messages
 * that no longer match the filters are gone. Returns null if there may be messages between the two that neither has; the
 * list then begins anew with the newest page.
 */
export function mergeNewest(
  listed: readonly Message[],
  { data: newest, pagination }: ListMessagesResponse,
): readonly Message[] | null {
  const oldest = newest.at(-1);
  if (pagination.nextCursor === null || oldest === undefined) return newest;
  const inNewest = new Set(newest.map(({ id }) => id));
  if (!listed.some(({ id }) => inNewest.has(id))) return null;
  const older = listed.filter(({ id, createdAt }) => !inNewest.has(id) && createdAt <= oldest.createdAt);
  return [...newest, ...older];
}

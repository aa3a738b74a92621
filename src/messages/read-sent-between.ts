import type { Sql } from '../database.ts';
import type { Environment } from '../principal.ts';
import { selectMessages } from './list-messages.ts';
import type { MessageStatus } from './message-status.ts';

/** A message within a conversation; `createdAt` as PostgreSQL writes it. */
export interface SentBetween {
  id: string;
  environment: Environment;
  text: string;
  status: MessageStatus;
  errorCode: string | null;
  errorMessage: string | null;
  createdAt: string;
}

/** Reads the newest messages that an organization sent from a number to a phone, by the statement of the list. */
export async function readSentBetween(
  db: Sql,
  selection: {
    organizationId: string;
    visibleEnvironments: readonly Environment[];
    phone: string;
    number: string;
    before: string | null;
    limit: number;
  },
): Promise<SentBetween[]> {
  const { phone, number, visibleEnvironments } = selection;
  if (visibleEnvironments.length === 0) return [];
  const { rows } = await selectMessages({ ...selection, filters: { to: phone, from: number } }).execute(db);
  return (rows as StoredMessage[]).map((row) => ({
    id: row.id,
    environment: row.environment,
    text: row.text,
    status: row.status,
    errorCode: row.error_code,
    errorMessage: row.error_message,
    createdAt: row.created_at,
  }));
}

interface StoredMessage extends Omit<SentBetween, 'errorCode' | 'errorMessage' | 'createdAt'> {
  error_code: string | null;
  error_message: string | null;
  created_at: string;
}

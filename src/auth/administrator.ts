import type { Request } from 'express';
import type { Principal } from '../principal.ts';

/** The actor of an operation for administrators: a user who does not act for an organization. */
export type Administrator = Pick<Principal, 'impersonatedBy'> & { actor: { kind: 'user'; id: string } };

/** The administrator behind a request for which openapi.yaml says `x-permission: admin`. */
export function administratorOf({ session }: Request): Administrator {
  if (!session) throw new Error('An administrator must have a session.');
  return { actor: { kind: 'user', id: session.userId }, impersonatedBy: session.impersonatedBy };
}

import type { Schemas } from './http/contract/contract-types.ts';

export const environments = ['live', 'test'] as const satisfies Schemas['Message']['environment'][];

/** Messages of `test` are sent to the simulator and never to a gateway. */
export type Environment = (typeof environments)[number];

/** The caller and its organization, created by `authorize.ts`. It is all that a use case knows about the caller. */
export interface Principal {
  actor: { kind: 'api_key' | 'user'; id: string };
  /** The user whose personal data the caller uses: the session's user, or the creator of the key; null if unknown. */
  personId: string | null;
  /** The administrator who impersonates this user, if any. */
  impersonatedBy: string | null;
  organizationId: string;
  /** The environment of new objects: that of the key, or live for a session. */
  environment: Environment;
  /** The environments that the caller can read: that of the key, or, for a session, both unless it requests one. */
  visibleEnvironments: readonly Environment[];
}

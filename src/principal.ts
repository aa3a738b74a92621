export const environments = ['live', 'test'] as const;

/** Messages of `test` go to the simulator and never to a gateway (contract section 2). */
export type Environment = (typeof environments)[number];

/** Who calls, and for which organization: made by `authorize.ts`, and all that a use case learns of the caller. */
export interface Principal {
  actor: { kind: 'api_key' | 'user'; id: string };
  /** Whose personal things the caller works with: the session's user, or who made the key; null where nobody is known. */
  personId: string | null;
  /** The administrator who acts as this user, if one does. */
  impersonatedBy: string | null;
  organizationId: string;
  /** Of what is made: a key's own, a session's is live. */
  environment: Environment;
  /** Of what is seen: a key's own, a session's both unless it asks for one. */
  sees: readonly Environment[];
}

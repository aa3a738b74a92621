import type { StoredApiKey } from '../api-keys/find-api-key.ts';
import type { LiveSession } from './find-session.ts';
import type { PresentedSession } from './session-cookies.ts';

export type Environment = 'live' | 'test';

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

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    interface Request {
      /** Set where an API key was presented. */
      apiKey?: StoredApiKey;
      /** Set where a session was presented. */
      session?: LiveSession | null;
      /** What was presented to be that session, and whether or not it is one. */
      presentedSession?: PresentedSession | null;
      /** Set on every operation that acts for an organization. */
      principal: Principal;
    }
  }
}

/** Who calls: made in one place, `authenticate.ts`, and all that a use case learns of the caller. */
export interface Principal {
  kind: 'api_key';
  organizationId: string;
  /** The messages made are of this environment, and only its are seen. */
  environment: 'live' | 'test';
  permissions: ReadonlySet<string>;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-namespace
  namespace Express {
    interface Request {
      /** Set on every operation but the public ones and the gateway's callbacks. */
      principal: Principal;
    }
  }
}

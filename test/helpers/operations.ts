import type { Operation } from '../../src/http/contract/contract.ts';
import { gatewayToken, type Answer, type CallOptions, type TestApi } from './api.ts';
import type { TestDatabase } from './databases.ts';
import { createOrganization, makeAdministrator, signUp } from './people.ts';
import { createTenant } from './tenants.ts';

/** Calls each operation of openapi.yaml as a caller that has the permission. */
export interface OperationCaller {
  call: (operation: Operation, options?: CallOptions & { query?: string }) => Promise<Answer>;
  /** The organization of the calling owner, for operations that require it. */
  organizationId: string;
}

/** Creates a tenant with a key, an owner and an administrator as callers. The ids in paths do not exist. */
export async function createOperationCaller(api: TestApi, db: TestDatabase): Promise<OperationCaller> {
  const key = await (await createTenant(db.database)).createKey();
  const [owner, administrator] = [await signUp(api), await signUp(api)];
  const { organizationId } = await createOrganization(owner);
  await makeAdministrator(db, administrator);
  return {
    organizationId,
    call: ({ method, path, permission }, { query = '', ...options } = {}) => {
      const target = path.replace(/\{\w+\}/g, '019aa3c0-1f4e-7a51-8f0a-5d1a2d0c9b11');
      const token = permission === 'gateway' ? [`token=${gatewayToken}`] : [];
      const parts = [...token, ...(query === '' ? [] : [query])];
      return api.call(method, [target, ...(parts.length > 0 ? [parts.join('&')] : [])].join('?'), {
        ...callerFor(permission),
        ...options,
      });
    },
  };

  function callerFor(permission: string): CallOptions {
    if (['public', 'gateway', 'optional-session'].includes(permission)) return {};
    if (permission === 'admin') return { session: administrator.token };
    if (permission === 'session' || permission.startsWith('organization:')) return { session: owner.token };
    return { key };
  }
}

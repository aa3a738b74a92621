import type { Model } from './linearize.ts';

/** Operations that a key may call, one for each of these permissions, and one that only a session may call. */
export const operations = {
  'contacts:read': '/api/v1/contacts/',
  'templates:read': '/api/v1/templates/',
  'campaigns:read': '/api/v1/campaigns/',
  'phonebooks:read': '/api/v1/contact-lists/',
  session: '/api/v1/api-keys/',
} as const;
export type OperationName = keyof typeof operations;
export type KeyPermission = Exclude<OperationName, 'session'>;

export type KeyCommand =
  | { kind: 'create'; permissions: KeyPermission[] }
  | { kind: 'change'; target: number; permissions: KeyPermission[]; id?: string }
  | { kind: 'revoke'; target: number; id?: string }
  | { kind: 'call'; target: number; operation: OperationName; id?: string };

export interface KeyResult {
  status: number;
  code?: string;
  id?: string;
  permissions?: string[];
}

interface ModelKey {
  permissions: string[];
  isRevoked: boolean;
}

export type KeyState = Record<string, ModelKey>;

/** API keys of one organization: a change holds from its response on, and a revoked key is revoked for good. */
export const keyModel: Model<KeyState, KeyCommand, KeyResult> = {
  initial: {},
  step: (state, command, result) => {
    const permissions = 'permissions' in command ? [...new Set(command.permissions)].toSorted() : [];
    const isSame = permissions.join() === result.permissions?.toSorted().join();
    if (command.kind === 'create') {
      if (result.status !== 201 || result.id === undefined || state[result.id] || !isSame) return [];
      return [{ ...state, [result.id]: { permissions, isRevoked: false } }];
    }
    const id = command.id!;
    const key = state[id];
    // It is used before its creation has answered only if there is no order at all.
    if (!key) return [];
    switch (command.kind) {
      case 'change':
        if (key.isRevoked) return result.code === 'invalid_state' ? [state] : [];
        return result.status === 200 && isSame ? [{ ...state, [id]: { ...key, permissions } }] : [];
      case 'revoke':
        return result.status === 204 ? [{ ...state, [id]: { ...key, isRevoked: true } }] : [];
      case 'call':
        return result.status === expectedCall(key, command.operation).status &&
          result.code === expectedCall(key, command.operation).code
          ? [state]
          : [];
    }
  },
};

function expectedCall(key: ModelKey, operation: OperationName): { status: number; code?: string } {
  if (key.isRevoked) return { status: 401, code: 'api_key_revoked' };
  return key.permissions.includes(operation) ? { status: 200 } : { status: 403, code: 'permission_denied' };
}

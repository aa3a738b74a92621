import { isKnownPermission, isPermission, permissions, roleAllows } from '../../src/auth/permissions.ts';
import { loadContract } from '../../src/http/contract/contract.ts';

/** What members lack (docs/guide): sender IDs, webhooks, and all exports. */
const lacked = ['sender-ids:write', 'webhooks:write', 'contacts:export', 'bulk:export', 'analytics:export'];
const others = [
  'public',
  'optional-session',
  'gateway',
  'session',
  'organization:member',
  'organization:manage',
  'admin',
];

test('the permissions are those of the contract, in its order', () => {
  const { document } = loadContract();
  const { Permission } = document.components!.schemas as Record<string, { enum?: string[] }>;
  expect(permissions).toEqual(Permission!.enum);
});

test.each(permissions.map((permission) => [permission]))(
  '%s: owners and admins have it, and members unless they lack it',
  (permission) => {
    expect(isPermission(permission)).toBe(true);
    expect(isKnownPermission(permission)).toBe(true);
    expect(roleAllows('owner', permission)).toBe(true);
    expect(roleAllows('admin', permission)).toBe(true);
    expect(roleAllows('member', permission)).toBe(!lacked.includes(permission));
  },
);

test.each([
  ['organization:member', true, true, true],
  ['organization:manage', true, true, false],
  ...['public', 'session', 'optional-session', 'gateway', 'admin', '', 'messages:sen', 'Messages:send'].map(
    (name): [string, boolean, boolean, boolean] => [name, false, false, false],
  ),
])('%s: owner %p, admin %p, member %p', (permission, owner, admin, member) => {
  expect(isPermission(permission)).toBe(false);
  expect(roleAllows('owner', permission)).toBe(owner);
  expect(roleAllows('admin', permission)).toBe(admin);
  expect(roleAllows('member', permission)).toBe(member);
});

test('an operation may require a permission of keys or one of seven others, and nothing else', () => {
  for (const name of others)
    expect({ name, isKnown: isKnownPermission(name) }).toEqual({ name, isKnown: true });
  for (const name of ['', 'administrator', 'organization', 'messages:sen'])
    expect(isKnownPermission(name)).toBe(false);
});

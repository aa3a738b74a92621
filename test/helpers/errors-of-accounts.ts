import type { accountErrors } from '../../src/error-catalogue/account-errors.ts';
import type { credentialErrors } from '../../src/error-catalogue/credential-errors.ts';
import type { organizationErrors } from '../../src/error-catalogue/organization-errors.ts';
import { createOrganization, makeAdministrator, password, signUp } from './people.ts';
import { turnOnTwoFactor } from './two-factor.ts';
import { postAs, sendTo, type ErrorWorld, type Provoked } from './provoke-errors.ts';

type Provocations<Codes> = Record<keyof Codes, () => Promise<Provoked>>;

/** How each error of a caller's credentials is provoked. */
export function provokeCredentialErrors(world: ErrorWorld): Provocations<typeof credentialErrors> {
  const { db, api, tenant, owner, administrator, send } = world;
  const list = (key?: string) => sendTo(api, 'GET', '/api/v1/messages', key === undefined ? {} : { key });
  return {
    unauthenticated: () => list(),
    api_key_revoked: async () => list(await tenant.createKey({ revokedAt: new Date() })),
    api_key_expired: async () => list(await tenant.createKey({ expiresAt: new Date(Date.now() - 1000) })),
    address_not_allowed: async () => list(await tenant.createKey({ allowedAddresses: ['203.0.113.0/24'] })),
    permission_denied: async () => {
      const key = await tenant.createKey({ permissions: ['messages:read'] });
      return send('POST', '/api/v1/messages', { to: '0911234567', text: 'Selam' }, { key });
    },
    organization_required: async () => sendTo(await signUp(api), 'GET', '/api/v1/messages'),
    banned: async () => {
      const person = await signUp(api);
      await administrator.post('/admin/ban-user', { userId: person.userId });
      return sendTo(person, 'GET', '/api/v1/notifications/');
    },
    session_not_fresh: async () => {
      const person = await signUp(api);
      await db.query(`update sessions set created_at = now() - interval '2 days' where user_id = ?`, [
        person.userId,
      ]);
      return postAs(person, '/unlink-account', { accountId: 'x' });
    },
    invalid_origin: () =>
      sendTo(api, 'POST', '/api/auth/sign-in/email', {
        json: { email: 'abebe@example.com', password },
        headers: { Origin: 'https://elsewhere.example', Cookie: 'a=b' },
      }),
    invalid_callback_url: () =>
      sendTo(api, 'POST', '/api/auth/request-password-reset', {
        json: { email: 'abebe@example.com', redirectTo: 'https://elsewhere.example/' },
      }),
    not_while_impersonating: async () => {
      const { body } = await administrator.post('/admin/impersonate-user', { userId: owner.userId });
      return sendTo(api, 'GET', '/api/auth/list-sessions', { session: body.session.token as string });
    },
    you_cannot_impersonate_admins: async () => {
      const other = await signUp(api);
      await makeAdministrator(db, other);
      const provoked = await postAs(administrator, '/admin/impersonate-user', { userId: other.userId });
      await db.query(`update users set role = 'user' where id = ?`, [other.userId]);
      return provoked;
    },
  };
}

/** How each error of an account is provoked. */
export function provokeAccountErrors(world: ErrorWorld): Provocations<typeof accountErrors> {
  const { api, bareApi, administrator } = world;
  const confirmation = '/send-verification-email';
  return {
    invalid_email_or_password: () =>
      sendTo(api, 'POST', '/api/auth/sign-in/email', {
        json: { email: 'nobody@example.com', password: 'not this one' },
      }),
    invalid_password: async () =>
      postAs(await signUp(api), '/change-password', {
        currentPassword: 'not this one',
        newPassword: 'a new password',
      }),
    two_factor_required: async () => {
      const person = await signUp(api, { email: 'two-factors@example.com' });
      await turnOnTwoFactor(person);
      return sendTo(api, 'POST', '/api/auth/sign-in/email', { json: { email: person.email, password } });
    },
    invalid_two_factor_code: async () => {
      const person = await signUp(api);
      await turnOnTwoFactor(person);
      return postAs(person, '/two-factor/disable', { password, code: 'AAAA-AAAA-AAAA-AAAA' });
    },
    invalid_passkey: () =>
      sendTo(api, 'POST', '/api/auth/passkey/verify-authentication', {
        json: {
          response: {
            ...{ id: '7r6Qm0CkTJ2YBNSkZ0VwWw', rawId: '7r6Qm0CkTJ2YBNSkZ0VwWw', type: 'public-key' },
            response: { clientDataJSON: 'e30', authenticatorData: 'AAAA', signature: 'AAAA' },
          },
        },
      }),
    invalid_token: () =>
      sendTo(api, 'POST', '/api/auth/reset-password', {
        json: { newPassword: 'a new password', token: 'x' },
      }),
    email_mismatch: async () =>
      postAs(await signUp(api, { confirm: false }), confirmation, { email: 'abebe@example.com' }),
    email_already_verified: async () => {
      const person = await signUp(api, { email: 'confirmed@example.com' });
      return postAs(person, confirmation, { email: person.email });
    },
    email_not_verified: async () =>
      sendTo(await signUp(api, { confirm: false }), 'GET', '/api/v1/organizations/invitations'),
    sign_up_disabled: () =>
      sendTo(bareApi, 'POST', '/api/auth/sign-up/email', {
        json: { name: 'Abebe', email: 'abebe@example.com', password },
      }),
    failed_to_unlink_last_account: async () =>
      postAs(await signUp(api), '/unlink-account', { accountId: 'x' }),
    provider_not_found: () =>
      sendTo(api, 'POST', '/api/auth/sign-in/social', { json: { provider: 'google' } }),
    last_administrator: () =>
      postAs(administrator, '/admin/set-role', { userId: administrator.userId, role: 'user' }),
  };
}

/** How each error of organizations, members and invitations is provoked. */
export function provokeOrganizationErrors(world: ErrorWorld): Provocations<typeof organizationErrors> {
  const { db, api, bareApi, owner, organizationId } = world;
  const invite = async (email: string) =>
    (await owner.post('/organization/invite-member', { email, role: 'member', organizationId })).body
      .id as string;
  /** Someone accepts an invitation of theirs that is no longer open. */
  const acceptAfter = async (end: (invitationId: string) => Promise<unknown>) => {
    const person = await signUp(api);
    const invitationId = await invite(person.email);
    await end(invitationId);
    return postAs(person, '/organization/accept-invitation', { invitationId });
  };
  return {
    you_are_not_the_recipient_of_the_invitation: async () =>
      postAs(owner, '/organization/accept-invitation', {
        invitationId: await invite('someone@example.com'),
      }),
    invitation_accepted: () => acceptAfter((id) => endInvitation(id, 'accepted')),
    invitation_rejected: () => acceptAfter((id) => endInvitation(id, 'rejected')),
    invitation_canceled: () =>
      acceptAfter((invitationId) => owner.post('/organization/cancel-invitation', { invitationId })),
    invitation_expired: () =>
      acceptAfter((id) =>
        db.query(`update invitations set expires_at = now() - interval '1 second' where id = ?`, [id]),
      ),
    invitation_limit_reached: async () => {
      const other = await createOrganization(owner);
      await db.query(
        `insert into invitations (id, organization_id, email, role, expires_at, inviter_id, created_at)
          select gen_random_uuid(), ?, n || '@example.com', 'member', now() + interval '1 day', ?, now()
          from generate_series(1, 100) n`,
        [other.organizationId, owner.userId],
      );
      return postAs(owner, '/organization/invite-member', {
        ...{ email: 'another@example.com', role: 'member', organizationId: other.organizationId },
      });
    },
    organization_limit_reached: async () => {
      const person = await signUp(api);
      await createOrganization(person);
      return sendTo(bareApi, 'POST', '/api/auth/organization/create', {
        session: person.token,
        json: { name: 'Second', slug: 'second' },
      });
    },
    organization_membership_limit_reached: () =>
      acceptAfter(async () => {
        await db.query(
          `with people as (
             insert into users (id, name, email, created_at, updated_at)
             select gen_random_uuid(), 'x', 'member' || n || '@example.com', now(), now()
             from generate_series(1, 10000) n returning id)
           insert into members (id, organization_id, user_id, created_at)
           select gen_random_uuid(), ?, id, now() from people`,
          [organizationId],
        );
      }),
    last_owner: () => postAs(owner, '/organization/leave', { organizationId }),
  };

  function endInvitation(id: string, status: string) {
    return db.query(`update invitations set status = ? where id = ?`, [status, id]);
  }
}

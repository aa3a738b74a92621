import type { ExampleWorld } from './example-world.ts';
import { linkMailed, makeAdministrator, type Person } from './people.ts';
import { prepareApp, turnOnTwoFactor } from './two-factor.ts';
import { createAuthenticator } from './authenticator.ts';
import { addPasskey, beginCeremony } from './passkeys.ts';
import type { Preparations, Prepared } from './prepare-examples.ts';

const asPerson = ({ token }: Person): Prepared => ({ caller: { session: token } });

/** What the examples of accounts and sessions need. */
export function prepareExamplesOfAccounts(world: ExampleWorld): Preparations {
  const { api, insert, newPerson } = world;
  /** The last mailed link of a new person that leads to a path. */
  const mailed = async (request: string, part: string) => {
    const person = await newPerson();
    await api.call('POST', `/api/auth/${request}`, { json: { email: person.email } });
    return new URL(await linkMailed(api, person.email, part), api.baseUrl);
  };
  const confirmation = async () => {
    const { searchParams } = await mailed('send-verification-email', '/verify-email');
    return { token: searchParams.get('token')! };
  };
  const reset = async () => {
    const { pathname } = await mailed('request-password-reset', '/reset-password/');
    return { token: pathname.split('/').at(-1)! };
  };
  return {
    signIn: async () => ({ body: { email: (await newPerson()).email } }),
    finishSocialSignIn: () => Promise.resolve({ path: { id: 'oidc' }, query: { code: 'x', state: 'x' } }),
    sendVerificationEmail: () => Promise.resolve({ caller: {} }),
    revokeSession: async () => {
      const person = await newPerson();
      return { ...asPerson(person), body: { token: person.token } };
    },
    confirmTwoFactor: async () => {
      const person = await newPerson();
      return { ...asPerson(person), body: { code: (await prepareApp(person)).code() } };
    },
    ...Object.fromEntries(
      ['disableTwoFactor', 'renewRecoveryCodes'].map((operation) => [
        operation,
        async () => {
          const person = await newPerson();
          return { ...asPerson(person), body: { code: (await turnOnTwoFactor(person)).code() } };
        },
      ]),
    ),
    addPasskey: async () => {
      const person = await newPerson();
      const { options, headers } = await beginCeremony(api, person);
      const response = createAuthenticator(api.baseUrl).create(options);
      return { caller: { session: person.token, headers }, body: { response } };
    },
    signInWithPasskey: async () => {
      const authenticator = await addPasskey(api, await newPerson());
      const { options, headers } = await beginCeremony(api);
      return { caller: { headers }, body: { response: authenticator.get(options) } };
    },
    removePasskey: async () => {
      const person = await newPerson();
      const { id } = await addPasskey(api, person);
      return { ...asPerson(person), body: { id } };
    },
    openEmailVerification: async () => ({ query: await confirmation() }),
    verifyEmail: async () => ({ body: await confirmation() }),
    openPasswordReset: async () => ({ path: await reset(), query: { callbackURL: '/docs' } }),
    openPasswordPage: async () => ({ query: await reset() }),
    resetPassword: async () => ({ body: await reset() }),
    unlinkAccount: async () => {
      const person = await newPerson();
      const accountId = await insert(
        `insert into accounts (id, user_id, provider_id, account_id, created_at, updated_at)
          values (gen_random_uuid(), ?, 'oidc', gen_random_uuid(), now(), now()) returning id`,
        [person.userId],
      );
      return { ...asPerson(person), body: { accountId } };
    },
    ...Object.fromEntries(
      [
        'revokeSessions',
        'revokeOtherSessions',
        'changePassword',
        'updateUser',
        'signOut',
        'enableTwoFactor',
      ].map((operation) => [operation, async () => asPerson(await newPerson())]),
    ),
  };
}

/** What the examples of organizations, members and invitations need. */
export function prepareExamplesOfOrganizations(world: ExampleWorld): Preparations {
  const { owner, organizationId, newPerson, addMember } = world;
  const invited = async () => {
    const person = await newPerson();
    const { email } = person;
    const invitation = { email, role: 'member', organizationId };
    const { body } = await owner.post('/organization/invite-member', invitation);
    return { person, invitationId: body.id as string };
  };
  const answered = async () => {
    const { person, invitationId } = await invited();
    return { ...asPerson(person), body: { invitationId } };
  };
  return {
    setActiveOrganization: async () => ({ body: { organizationId } }),
    getActiveMember: async () => {
      const person = await newPerson();
      await addMember(person);
      await person.post('/organization/set-active', { organizationId });
      return asPerson(person);
    },
    updateMemberRole: async () => ({ body: { memberId: await addMember(await newPerson()) } }),
    removeMember: async () => {
      const person = await newPerson();
      await addMember(person);
      return { body: { memberIdOrEmail: person.email } };
    },
    leaveOrganization: async () => {
      const person = await newPerson();
      await addMember(person);
      return asPerson(person);
    },
    acceptInvitation: answered,
    rejectInvitation: answered,
    cancelInvitation: async () => ({ body: { invitationId: (await invited()).invitationId } }),
    getInvitation: async () => {
      const { person, invitationId } = await invited();
      return { ...asPerson(person), query: { id: invitationId } };
    },
  };
}

/** What the examples of administrators need. */
export function prepareExamplesOfAdministrators(world: ExampleWorld): Preparations {
  const { db, administrator, newPerson } = world;
  const someone = async () => ({ body: { userId: (await newPerson()).userId } });
  return {
    getUser: async () => ({ query: { id: (await newPerson()).userId } }),
    ...Object.fromEntries(
      [
        ...['setUserRole', 'banUser', 'unbanUser', 'impersonateUser', 'listUserSessions'],
        'revokeUserSessions',
      ].map((operation) => [operation, someone]),
    ),
    resetTwoFactor: async () => {
      const person = await newPerson();
      await turnOnTwoFactor(person);
      return { body: { userId: person.userId } };
    },
    listSecurityEventsOfUser: async () => ({ path: { userId: (await newPerson()).userId } }),
    revokeUserSession: async () => ({ body: { sessionToken: (await newPerson()).token } }),
    stopImpersonating: async () => {
      const impersonator = await newPerson();
      await makeAdministrator(db, impersonator);
      const { userId } = await newPerson();
      const { body } = await impersonator.post('/admin/impersonate-user', { userId });
      return { caller: { session: body.session.token as string } };
    },
    listUsers: async () => asPerson(administrator),
  };
}

/**
 * Maps the records of better-auth to the tables and columns of the entities. A field that is not listed here has a
 * column of the same name.
 */
const createdAndUpdated = { createdAt: 'created_at', updatedAt: 'updated_at' };

export const userTable = {
  modelName: 'users',
  fields: { emailVerified: 'email_verified', ...createdAndUpdated },
};

export const sessionTable = {
  modelName: 'sessions',
  fields: {
    userId: 'user_id',
    expiresAt: 'expires_at',
    ipAddress: 'ip_address',
    userAgent: 'user_agent',
    ...createdAndUpdated,
  },
};

export const accountTable = {
  modelName: 'accounts',
  fields: {
    userId: 'user_id',
    providerId: 'provider_id',
    accountId: 'account_id',
    accessToken: 'access_token',
    refreshToken: 'refresh_token',
    idToken: 'id_token',
    accessTokenExpiresAt: 'access_token_expires_at',
    refreshTokenExpiresAt: 'refresh_token_expires_at',
    ...createdAndUpdated,
  },
};

export const verificationTable = {
  modelName: 'verifications',
  fields: { expiresAt: 'expires_at', ...createdAndUpdated },
};

/** The columns that the admin plugin adds. */
export const adminTables = {
  user: { fields: { banReason: 'ban_reason', banExpires: 'ban_expires' } },
  session: { fields: { impersonatedBy: 'impersonated_by' } },
};

/** The tables and columns that the organization plugin adds. */
export const organizationTables = {
  session: { fields: { activeOrganizationId: 'active_organization_id' } },
  organization: { modelName: 'organizations', fields: { createdAt: 'created_at' } },
  member: {
    modelName: 'members',
    fields: { organizationId: 'organization_id', userId: 'user_id', createdAt: 'created_at' },
  },
  invitation: {
    modelName: 'invitations',
    fields: {
      organizationId: 'organization_id',
      inviterId: 'inviter_id',
      expiresAt: 'expires_at',
      createdAt: 'created_at',
    },
  },
};

/** The table that the passkey plugin adds. */
export const passkeyTables = {
  passkey: {
    modelName: 'passkeys',
    fields: {
      publicKey: 'public_key',
      userId: 'user_id',
      credentialID: 'credential_id',
      deviceType: 'device_type',
      backedUp: 'backed_up',
      createdAt: 'created_at',
    },
  },
};

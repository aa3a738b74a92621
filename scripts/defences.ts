/**
 * The threats to the service, by data flow, each with its defence and the test that fails without it. The table of
 * docs/security.md is printed from this list, and `npm run check-defences` takes each defence out and runs its test.
 */

/** STRIDE: the kinds of threats. */
export type ThreatKind =
  'spoofing' | 'tampering' | 'repudiation' | 'disclosure' | 'denial of service' | 'elevation';

export interface Defence {
  /** Its name for `npm run check-defences -- NAME`. */
  name: string;
  flow: string;
  kind: ThreatKind;
  threat: string;
  defence: string;
  /** The change that takes the defence out: `from` occurs exactly once in the file. */
  removal: { file: string; from: string; to: string };
  /** The test that fails then. */
  test: { file: string; name?: string };
}

const callerToApi: Omit<Defence, 'flow'>[] = [
  {
    name: 'key-secret',
    kind: 'spoofing',
    threat: 'A caller knows the public part of an API key and guesses its secret.',
    defence:
      'A secret has 166 random bits. Its SHA-256 is compared in a time that does not depend on its characters.',
    removal: {
      file: 'src/auth/access/authenticate.ts',
      from: '!secretsMatch(stored.secretHash, parsed.secretHash)',
      to: 'false',
    },
    test: { file: 'test/auth/principals.test.ts' },
  },
  {
    name: 'password-guesses',
    kind: 'spoofing',
    threat: 'A stranger guesses the password of an account.',
    defence:
      'Wrong passwords are limited per account and network, and per account over all unknown networks.',
    removal: {
      file: 'src/auth/access/limit-sign-in.ts',
      from: 'enforceLimit(await counter.count([fromHere]), response);',
      to: 'await counter.count([fromHere]);',
    },
    test: { file: 'test/auth/limit-sign-in.test.ts' },
  },
  {
    name: 'second-factor',
    kind: 'spoofing',
    threat: 'A stranger knows the password of a user who has an authenticator app.',
    defence:
      'The sign-in needs a code as well. Each code is used once; wrong ones are limited per user and day.',
    removal: {
      file: 'src/auth/two-factor/check-second-factor.ts',
      from: 'if (!factor) return null;',
      to: 'if (!factor || !code) return null;',
    },
    test: { file: 'test/auth/two-factor.test.ts' },
  },
  {
    name: 'repeated-codes',
    kind: 'spoofing',
    threat: 'Somebody repeats a code of an app that they have seen.',
    defence: 'The step of the last code is stored; a guarded update refuses it and all before it.',
    removal: {
      file: 'src/auth/two-factor/check-second-factor.ts',
      from: '[{ lastUsedStep: null }, { lastUsedStep: { $lt: step } }]',
      to: '[{ lastUsedStep: null }, { lastUsedStep: { $ne: -1 } }]',
    },
    test: { file: 'test/auth/two-factor.test.ts' },
  },
  {
    name: 'new-devices',
    kind: 'repudiation',
    threat: 'A stranger signs in to an account, and its user does not notice.',
    defence: 'A mail tells of a sign-in from a device or network that is not known of the user.',
    removal: {
      file: 'src/auth/sessions/note-device.ts',
      from: 'if (row?.isNew && mailer)',
      to: 'if (row?.isNew && mailer && at.getTime() === 0)',
    },
    test: { file: 'test/auth/new-device.test.ts' },
  },
  {
    name: 'sign-in-history',
    kind: 'repudiation',
    threat: 'A stranger tries passwords of an account, and nobody can see it later.',
    defence: 'Refused sign-ins are listed for the user and for administrators, with address and program.',
    removal: {
      file: 'src/auth/sign-in.ts',
      from: 'if (answer.status === 401) await recordWrongPassword',
      to: 'if (answer.status === 0) await recordWrongPassword',
    },
    test: { file: 'test/auth/security-events.test.ts' },
  },
  {
    name: 'history-limit',
    kind: 'denial of service',
    threat: 'A stranger fills the list of an account, and the disk, with refused sign-ins.',
    defence: 'Of one user, 20 refused sign-ins in an hour are kept, and 100 events of any other kind.',
    removal: {
      file: 'src/auth/security-events/record-security-event.ts',
      from: ') < ${limit}',
      to: ') < ${limit} + 1000',
    },
    test: { file: 'test/auth/security-events.test.ts' },
  },
  {
    name: 'account-changes',
    kind: 'repudiation',
    threat: 'Somebody with a stolen session changes how its user signs in, and the user does not notice.',
    defence: 'A mail tells of changes of the password and of the second factor.',
    removal: {
      file: 'src/auth/security-events/record-security-event.ts',
      from: 'if (mail && mailer)',
      to: 'if (mail && mailer && at.getTime() === 0)',
    },
    test: { file: 'test/auth/security-events.test.ts' },
  },
  {
    name: 'own-reset',
    kind: 'elevation',
    threat: 'Whoever has stolen the session of an administrator turns their second factor off.',
    defence: 'Administrators reset the second factor of others only, and a code is needed for one’s own.',
    removal: {
      file: 'src/auth/two-factor/reset-two-factor.ts',
      from: 'if (userId.toLowerCase() === administratorId) {',
      to: 'if (userId === administratorId.slice(1)) {',
    },
    test: { file: 'test/auth/reset-two-factor.test.ts' },
  },
  {
    name: 'passkey-user',
    kind: 'spoofing',
    threat: 'Somebody finds the key or the phone of a user, and signs in with its passkey.',
    defence:
      'A passkey counts only if the device has recognised its user, by a fingerprint, a face or a code.',
    removal: {
      file: 'src/auth/passkeys/passkey-plugin.ts',
      from: 'if (isVerified) return;',
      to: 'if (isVerified || code.length > 0) return;',
    },
    test: { file: 'test/auth/passkeys.test.ts' },
  },
  {
    name: 'passkey-origin',
    kind: 'spoofing',
    threat: 'Another site asks the browser of a user for a passkey, and passes the answer on.',
    defence: 'An answer names the origin of the page that asked, which must be that of BASE_URL.',
    removal: {
      file: 'src/auth/passkeys/passkey-plugin.ts',
      from: '    origin,\n',
      to: "    origin: [origin, 'https://evil.example'],\n",
    },
    test: { file: 'test/auth/passkeys.test.ts' },
  },
  {
    name: 'passkey-owner',
    kind: 'tampering',
    threat: 'A user removes the passkey of another one.',
    defence: 'The statement that removes a passkey names its user.',
    removal: {
      file: 'src/auth/passkeys/passkey-routes.ts',
      from: "        .where('user', '=', userId)\n",
      to: '',
    },
    test: { file: 'test/auth/passkeys.test.ts' },
  },
  {
    name: 'key-addresses',
    kind: 'spoofing',
    threat: 'A leaked API key is used from elsewhere.',
    defence:
      'A key may be limited to addresses and networks; X-Forwarded-For counts from trusted proxies only.',
    removal: {
      file: 'src/auth/access/authenticate.ts',
      from: 'if (!isAllowedAddress(stored.allowedRanges, ip)) {',
      to: 'if (!isAllowedAddress(stored.allowedRanges, ip) && ip === undefined) {',
    },
    test: { file: 'test/api-keys/allowed-addresses.test.ts' },
  },
  {
    name: 'code-guesses',
    kind: 'spoofing',
    threat: 'A caller guesses a security code.',
    defence:
      'A code has a limited number of guesses, which are counted exactly, also when they come at once.',
    removal: {
      file: 'src/security-codes/code-status.ts',
      from: "const status = attemptsRemaining === 0 ? 'max_attempts_reached' : 'pending';",
      to: "const status = attemptsRemaining < 0 ? 'max_attempts_reached' : 'pending';",
    },
    test: { file: 'test/security-codes/judge-guess.test.ts' },
  },
  {
    name: 'cookie-signature',
    kind: 'spoofing',
    threat: 'Somebody makes or changes the cookie of a session.',
    defence: 'Cookies are signed with AUTH_SECRET, and the signature is compared exactly.',
    removal: {
      file: 'src/auth/sessions/session-cookies.ts',
      from: 'return given.length === expected.length && timingSafeEqual(given, expected) ? value : null;',
      to: 'return given.length === expected.length || timingSafeEqual(expected, expected) ? value : null;',
    },
    test: { file: 'test/auth/one-session.test.ts' },
  },
  {
    name: 'ban',
    kind: 'spoofing',
    threat: 'A banned user goes on with a session that is still open.',
    defence: 'Each request reads whether the user of its session is banned.',
    removal: {
      file: 'src/auth/access/require-session.ts',
      from: 'if (session?.isBanned)',
      to: 'if (session?.isBanned && false)',
    },
    test: { file: 'test/auth/administrators.test.ts' },
  },
  {
    name: 'stored-values',
    kind: 'tampering',
    threat:
      'A value is stored as something else than what was sent: NUL, half a character, a rounded number.',
    defence: 'Values that cannot be returned as they were sent are refused.',
    removal: {
      file: 'src/http/storable-values.ts',
      from: "return text.isWellFormed() && !text.includes('\\0');",
      to: 'return text.length >= 0;',
    },
    test: { file: 'test/http/http.test.ts' },
  },
  {
    name: 'replayed-key',
    kind: 'tampering',
    threat: 'An Idempotency-Key is used again with another body.',
    defence: 'The digest of the first body is stored with the key, and another body is refused.',
    removal: {
      file: 'src/idempotency/find-answer.ts',
      from: 'return row.digest === digest ?',
      to: 'return row.digest || digest ?',
    },
    test: { file: 'test/idempotency/idempotency-key.test.ts' },
  },
  {
    name: 'audit',
    kind: 'repudiation',
    threat: 'A member denies having created an API key.',
    defence:
      'The audit event is part of the transaction of the change; the tenant role cannot change the log.',
    removal: {
      file: 'src/api-keys/create-api-key.ts',
      from: "    recordAuditEvent(em, principal, {\n      action: 'api_key.created',",
      to: "    void ((_em: unknown, _principal: unknown, _event: unknown) => 0)(em, recordAuditEvent, {\n      action: 'api_key.created',",
    },
    test: { file: 'test/api-keys/manage-api-keys.test.ts' },
  },
  {
    name: 'error-details',
    kind: 'disclosure',
    threat: 'An unexpected error shows the caller a statement or a path of a file.',
    defence: 'An error that is not meant for callers is logged, and becomes a 500 without details.',
    removal: {
      file: 'src/http/answer-errors.ts',
      from: "return new ApiError('internal_error', errorCatalogue.internal_error.meaning);",
      to: "return new ApiError('internal_error', String(thrown));",
    },
    test: { file: 'test/privacy.test.ts' },
  },
  {
    name: 'caches',
    kind: 'disclosure',
    threat: 'A proxy or a browser keeps a response that is for one caller.',
    defence: 'Each operation with a credential answers with Cache-Control: no-store.',
    removal: {
      file: 'src/http/answer-headers.ts',
      from: "response.set('Cache-Control', 'no-store');",
      to: 'void response;',
    },
    test: { file: 'test/http/answer-headers.test.ts' },
  },
  {
    name: 'rate-limits',
    kind: 'denial of service',
    threat: 'One caller uses up the service.',
    defence: 'Each key, session, organization and address has a limit, exact over all processes.',
    removal: {
      file: 'src/rate-limits/limit-rate.ts',
      from: '  if (remaining >= 0) return;',
      to: '  if (remaining >= 0 || remaining < 0) return;',
    },
    test: { file: 'test/rate-limits/rate-limits.test.ts' },
  },
  {
    name: 'pumped-codes',
    kind: 'denial of service',
    threat: 'Somebody has security codes sent to expensive numbers only for the price of the messages.',
    defence:
      'The share of verified codes is watched by organization and prefix. Few of many raise an alarm, and may hold codes to the prefix.',
    removal: {
      file: 'src/security-codes/send-security-code.ts',
      from: 'if (limits.heldUntil !== null) throw',
      to: 'if (limits.heldUntil === undefined) throw',
    },
    test: { file: 'test/security-codes/watch/watch-conversion.test.ts' },
  },
  {
    name: 'pumped-codes-once',
    kind: 'denial of service',
    threat: 'Two workers count the same codes twice, and hold a prefix that is in order.',
    defence: 'A row that one worker locks says up to which minute codes are counted.',
    removal: {
      file: 'src/security-codes/watch/watch-conversion.ts',
      from: 'update security_code_watch set counted_to = greatest(counted_to, ${countedTo}::timestamptz)',
      to: 'select ${countedTo}::timestamptz',
    },
    test: { file: 'test/security-codes/watch/watch-conversion.test.ts' },
  },
  {
    name: 'content-rules',
    kind: 'tampering',
    threat: 'An account that is taken over sends phishing to the recipients of an organization.',
    defence:
      'Administrators keep rules about phrases and links. They are checked when a message is stored and at each claim.',
    removal: {
      file: 'src/messages/store-messages.ts',
      from: "when ${contentReason} is not null then 'content_refused'",
      to: '',
    },
    test: { file: 'test/content-rules/content-rules.test.ts' },
  },
  {
    name: 'sending-caps',
    kind: 'denial of service',
    threat: 'An account that is taken over sends without end, or floods one phone or one country.',
    defence:
      'Administrators cap the live messages of an organization, to one number and to a prefix, by hour or day.',
    removal: {
      file: 'src/sending-controls/sending-caps.ts',
      from: 'usedOf(cap) >= cap.limit',
      to: 'usedOf(cap) > cap.limit',
    },
    test: { file: 'test/sending-controls/sending-caps.test.ts' },
  },
  {
    name: 'sending-caps-at-once',
    kind: 'denial of service',
    threat: 'Many requests at once, to several processes, pass a cap together.',
    defence: 'The counts of an organization are locked while its messages are judged, stored and counted.',
    removal: {
      file: 'src/messages/store-capped-messages.ts',
      from: 'await lockCounts(db, organizationIds);',
      to: 'void [lockCounts, organizationIds];',
    },
    test: { file: 'test/sending-controls/sending-caps.test.ts', name: 'at once' },
  },
  {
    name: 'sending-caps-of-batches',
    kind: 'denial of service',
    threat: 'Messages of batches, schedules, replies and redrives pass by the caps.',
    defence: 'No claim takes a message that must be counted and is not.',
    removal: {
      file: 'src/messages/submission/claim-due-messages.ts',
      from: ' and not ${isUncounted(now)}`;',
      to: '`;',
    },
    test: { file: 'test/messages/admit-capped-messages.test.ts' },
  },
  {
    name: 'new-organizations',
    kind: 'denial of service',
    threat: 'Somebody signs up, and sends as much as they can before anybody notices.',
    defence: 'Organizations younger than some days may send only so many live messages a day.',
    removal: {
      file: 'src/sending-controls/sending-conditions.ts',
      from: 'or ${isNewOrganization(message.organizationId, message.at)}',
      to: '',
    },
    test: { file: 'test/sending-controls/sending-caps.test.ts', name: 'new organizations' },
  },
  {
    name: 'hostile-bodies',
    kind: 'denial of service',
    threat: 'A body is made so that reading it takes long.',
    defence:
      'The schema of an operation limits bytes and values, and both are checked before the body is parsed.',
    removal: {
      file: 'src/http/requests/decode-body.ts',
      from: 'if (countJsonValues(text, values) > values) throw tooManyValues(values);',
      to: 'void [countJsonValues, tooManyValues];',
    },
    test: { file: 'test/http/hostile-bodies.test.ts' },
  },
  {
    name: 'slow-headers',
    kind: 'denial of service',
    threat: 'A caller opens many connections and sends a header slowly, or one without end.',
    defence: 'Each listener limits the size of headers, and the time that they and whole requests may take.',
    removal: {
      file: 'src/operations/serve-operations.ts',
      from: 'createServer(limits, ',
      to: 'createServer({ ...limits, maxHeaderSize: 65_536 }, ',
    },
    test: { file: 'test/http/listener-limits.test.ts' },
  },
  {
    name: 'slow-uploads',
    kind: 'denial of service',
    threat: 'A caller keeps uploads open and sends nothing.',
    defence:
      'An upload without a byte for 30 seconds is ended, and one organization has a quarter of the places.',
    removal: {
      file: 'src/http/requests/uploads.ts',
      from: 'request.setTimeout(stallMs, () => request.destroy());',
      to: 'void stallMs;',
    },
    test: { file: 'test/http/uploads.test.ts' },
  },
  {
    name: 'permissions-of-roles',
    kind: 'elevation',
    threat: 'A member does what only admins may.',
    defence: 'Each operation names its permission in the contract; the role of the session must have it.',
    removal: {
      file: 'src/auth/access/authorize.ts',
      from: 'if (roleAllows(role, permission)) return;',
      to: 'if (roleAllows(role, permission) || role) return;',
    },
    test: { file: 'test/api-keys/manage-api-keys.test.ts' },
  },
  {
    name: 'permissions-of-keys',
    kind: 'elevation',
    threat: 'A key does what its permissions do not allow.',
    defence: 'The permission of the operation must be among those of the key.',
    removal: {
      file: 'src/auth/access/authenticate.ts',
      from: 'if (!key.permissions.has(permission)) {',
      to: 'if (!key.permissions.has(permission) && permission.length === 0) {',
    },
    test: { file: 'test/api-keys/manage-api-keys.test.ts' },
  },
  {
    name: 'administrators',
    kind: 'elevation',
    threat: 'A user calls the operations of administrators.',
    defence: 'The role is read at each request, and an impersonated session never has it.',
    removal: {
      file: 'src/auth/access/authenticate.ts',
      from: "if (operation.permission === 'admin' && !isAdministrator) {",
      to: "if (operation.permission === 'admin' && !isAdministrator && !session) {",
    },
    test: { file: 'test/auth/administrators.test.ts' },
  },
  {
    name: 'impersonation',
    kind: 'elevation',
    threat: 'An administrator who impersonates a user makes a way to stay in.',
    defence: 'Impersonated sessions are refused passwords, accounts and keys, and end after an hour.',
    removal: {
      file: 'src/auth/access/authenticate.ts',
      from: 'if (session.impersonatedBy !== null && operation.isRefusedWhileImpersonating) {',
      to: 'if (session.impersonatedBy !== null && operation.isRefusedWhileImpersonating && !session) {',
    },
    test: { file: 'test/auth/sessions.test.ts' },
  },
];

const apiToPostgres: Omit<Defence, 'flow'>[] = [
  {
    name: 'tenant-role',
    kind: 'disclosure',
    threat: 'A statement without a condition reads or changes rows of another organization.',
    defence: 'Work for organizations runs under a role that row-level security limits to their rows.',
    removal: {
      file: 'src/organizations/organization-scope.ts',
      from: ', role: tenantRole };',
      to: ', ...(tenantRole ? {} : {}) };',
    },
    test: { file: 'test/organizations/organization-scope.test.ts' },
  },
  {
    name: 'tenant-filter',
    kind: 'disclosure',
    threat: 'The same, for a query of entities.',
    defence: 'MikroORM adds the organization to each query, and refuses a query without one.',
    removal: {
      file: 'src/organizations/organization-scope.ts',
      from: "        name: 'organization',\n        default: true,",
      to: "        name: 'organization',\n        default: false,",
    },
    test: { file: 'test/organizations/organization-scope.test.ts' },
  },
  {
    name: 'process-roles',
    kind: 'elevation',
    threat: 'Somebody runs SQL as the API or the worker, to drop tables or to change the audit log.',
    defence:
      'The processes can have roles without DDL, TRUNCATE and changes of the audit log, a worker without passwords.',
    removal: {
      file: 'src/operations/grant-roles.ts',
      from: "audit_events: { sms_api: ['select', 'insert'], sms_worker: ['select', 'insert'] },",
      to: '',
    },
    test: { file: 'test/operations/grant-roles.test.ts' },
  },
  {
    name: 'sealed-values',
    kind: 'disclosure',
    threat: 'Somebody reads a dump: secrets of webhooks, texts with security codes.',
    defence: 'They are sealed with AES-256-GCM under a key that is not in the database.',
    removal: {
      file: 'src/messages/sealer.ts',
      from: 'return Buffer.concat([header, nonce, cipher.getAuthTag(), ciphertext])',
      to: 'return Buffer.concat([header, nonce, cipher.getAuthTag(), ciphertext, Buffer.from(text)])',
    },
    test: { file: 'test/webhooks/sealed-secrets.test.ts' },
  },
  {
    name: 'sealed-owner',
    kind: 'tampering',
    threat: 'Somebody with write access moves a sealed value to a row of their own, to have it opened.',
    defence: 'A sealed value is bound to its owner as associated data.',
    removal: {
      file: 'src/messages/sealer.ts',
      from: 'return Buffer.concat([header, Buffer.from(owner)]);',
      to: 'return Buffer.concat([header, Buffer.from(owner).subarray(0, 0)]);',
    },
    test: { file: 'test/webhooks/sealed-secrets.test.ts' },
  },
  {
    name: 'hashed-sessions',
    kind: 'spoofing',
    threat: 'Somebody takes over the sessions of a dump.',
    defence: 'Only the hashes of session tokens are stored.',
    removal: {
      file: 'src/auth/sessions/session-token.ts',
      from: "return createHash('sha256').update(token).digest('hex');",
      to: 'return createHash ? token : token;',
    },
    test: { file: 'test/auth/tokens-at-rest.test.ts' },
  },
  {
    name: 'hashed-keys',
    kind: 'spoofing',
    threat: 'Somebody calls with the keys of a dump.',
    defence: 'Only the SHA-256 of the secret of a key is stored.',
    removal: {
      file: 'src/api-keys/api-key.ts',
      from: "return createHash('sha256').update(secret).digest();",
      to: 'return Buffer.from(createHash ? secret : secret);',
    },
    test: { file: 'test/api-keys/api-key.test.ts' },
  },
  {
    name: 'peppered-codes',
    kind: 'spoofing',
    threat: 'Somebody computes security codes from the hashes of a dump.',
    defence: 'A code is hashed with the pepper as the key, and with the id of its verification.',
    removal: {
      file: 'src/security-codes/code.ts',
      from: "createHmac('sha256', pepper)",
      to: "createHmac('sha256', pepper.slice(pepper.length))",
    },
    test: { file: 'test/security-codes/code.test.ts' },
  },
  {
    name: 'provider-tokens',
    kind: 'disclosure',
    threat: 'Somebody uses the OAuth tokens of a dump.',
    defence: 'The tokens of social sign-in are not stored.',
    removal: {
      file: 'src/auth/better-auth.ts',
      from: '  data: {\n    accessToken: null,\n    refreshToken: null,\n    idToken: null,\n',
      to: '  data: {\n',
    },
    test: { file: 'test/auth/oidc.test.ts' },
  },
];

const workerToGateway: Omit<Defence, 'flow'>[] = [
  {
    name: 'gateway-answers',
    kind: 'disclosure',
    threat: 'A gateway repeats number, text or password in its answer, and it is stored or logged.',
    defence: 'Of an answer only the code is kept.',
    removal: {
      file: 'src/gateway/kannel-answers.ts',
      from: "return (rule?.outcome ?? refused('gateway_rejected', 'refused'))(httpStatus);",
      to: "return (rule?.outcome ?? refused('gateway_rejected', words))(httpStatus);",
    },
    test: { file: 'test/gateway/kannel.test.ts' },
  },
  {
    name: 'endless-answers',
    kind: 'denial of service',
    threat: 'A gateway answers without end.',
    defence: 'One KiB of an answer is read, and the connection is closed.',
    removal: {
      file: 'src/gateway/kannel.ts',
      from: 'if (chunk.length <= room) return;',
      to: 'if (chunk.length <= room || controller) return;',
    },
    test: { file: 'test/gateway/kannel.test.ts' },
  },
  {
    name: 'gateway-escapes',
    kind: 'tampering',
    threat:
      'A token with a percent sign is read by Kannel as an escape, so reports go elsewhere or leak a number.',
    defence: 'Values in the callback pattern have their percent signs doubled.',
    removal: {
      file: 'src/gateway/kannel.ts',
      from: "return encodeURIComponent(value).replaceAll('%', '%%');",
      to: 'return encodeURIComponent(value);',
    },
    test: { file: 'test/gateway/kannel.test.ts' },
  },
];

const gatewayToCallback: Omit<Defence, 'flow'>[] = [
  {
    name: 'gateway-token',
    kind: 'spoofing',
    threat: 'A stranger reports a message as delivered, or sends an inbound message.',
    defence: 'Callbacks have a token, which is compared in constant time.',
    removal: {
      file: 'src/auth/access/authenticate.ts',
      from: 'return expectedHashes.filter((expectedHash) => secretsMatch(hash, expectedHash)).length > 0;',
      to: 'return hash.length + expectedHashes.length > 0;',
    },
    test: { file: 'test/gateway/receive-report.test.ts' },
  },
  {
    name: 'final-statuses',
    kind: 'tampering',
    threat: 'A repeated or late report takes back a final status.',
    defence: 'Statuses change by the rules of one file, and a final status stays.',
    removal: {
      file: 'src/messages/message-status.ts',
      from: 'if (isFinal(state.status)) return { state, steps: [] };',
      to: 'void isFinal;',
    },
    test: { file: 'test/messages/message-status.test.ts' },
  },
];

const workerToReceiver: Omit<Defence, 'flow'>[] = [
  {
    name: 'webhook-url',
    kind: 'disclosure',
    threat: 'A tenant names an address of the operator’s network as a webhook (SSRF).',
    defence: 'Addresses that are not public are refused in the URL, in every spelling.',
    removal: {
      file: 'src/webhooks/webhook-url.ts',
      from: "return isPublicAddress(host) ? { ok: true, url } : refuse('address_not_public');",
      to: "return isPublicAddress(host) || url ? { ok: true, url } : refuse('address_not_public');",
    },
    test: { file: 'test/webhooks/webhook-url.test.ts' },
  },
  {
    name: 'webhook-address',
    kind: 'disclosure',
    threat:
      'A public name resolves to an address of the operator’s network, at once or later (DNS rebinding).',
    defence: 'Addresses are checked at connection time, and the connection is made to the checked address.',
    removal: {
      file: 'src/webhooks/attempts/guarded-lookup.ts',
      from: '!addresses.every(({ address }) => isPublicAddress(address))',
      to: 'addresses.length < 0',
    },
    test: { file: 'test/webhooks/attempt-delivery.test.ts' },
  },
  {
    name: 'webhook-platform-address',
    kind: 'disclosure',
    threat: 'A webhook reaches the metadata service of a cloud by an address that looks public.',
    defence: 'Such addresses are listed.',
    removal: {
      file: 'src/webhooks/attempts/public-address.ts',
      from: "new Set(['168.63.129.16'])",
      to: 'new Set([""])',
    },
    test: { file: 'test/webhooks/public-address.test.ts' },
  },
  {
    name: 'webhook-signature',
    kind: 'spoofing',
    threat: 'A stranger sends a receiver events.',
    defence: 'Webhooks are signed over timestamp and body with the secret of the message.',
    removal: {
      file: 'src/webhooks/attempts/signature.ts',
      from: '.update(body).digest',
      to: '.update(body.slice(0, 0)).digest',
    },
    test: { file: 'test/webhooks/signature.test.ts' },
  },
  {
    name: 'endless-receiver',
    kind: 'denial of service',
    threat: 'A receiver answers without end.',
    defence: '64 KiB of a response are read, for at most 10 seconds.',
    removal: {
      file: 'src/webhooks/attempts/attempt-delivery.ts',
      from: 'if (bytes > readBytes) break;',
      to: 'if (bytes > readBytes && bytes < 0) break;',
    },
    test: { file: 'test/webhooks/attempt-delivery.test.ts' },
  },
  {
    name: 'receiver-slots',
    kind: 'denial of service',
    threat: 'The slow receivers of one organization hold all requests of a worker.',
    defence: 'An organization has at most half of the slots, and a host eight.',
    removal: {
      file: 'src/webhooks/attempts/request-slots.ts',
      from: 'const organizationShare = 0.5;',
      to: 'const organizationShare = 1;',
    },
    test: { file: 'test/webhooks/request-slots.test.ts' },
  },
];

const browserToConsole: Omit<Defence, 'flow'>[] = [
  {
    name: 'cross-site',
    kind: 'spoofing',
    threat: 'Another site has the browser send a request with its cookie (CSRF).',
    defence: 'Requests that change something and come with a cookie must come from a trusted origin.',
    removal: {
      file: 'src/auth/access/refuse-cross-site.ts',
      from: 'if (!isTrusted) throw',
      to: 'if (!isTrusted && caller === request.url) throw',
    },
    test: { file: 'test/auth/cross-site.test.ts' },
  },
  {
    name: 'content-policy',
    kind: 'tampering',
    threat: 'A text of a tenant runs as a script in the console (XSS), or the console is framed.',
    defence: 'The Content-Security-Policy allows scripts of this origin only, and no frame.',
    removal: {
      file: 'src/console/routes.ts',
      from: "`script-src 'self'`,",
      to: "`script-src 'self' 'unsafe-inline'`,",
    },
    test: { file: 'test/console/serve.test.ts' },
  },
  {
    name: 'cross-origin-reads',
    kind: 'disclosure',
    threat: 'A page of another origin reads responses of the API in the browser of a user.',
    defence:
      'No response has Access-Control-Allow-Origin, and each has Cross-Origin-Resource-Policy: same-origin.',
    removal: {
      file: 'src/http/answer-headers.ts',
      from: "'Cross-Origin-Resource-Policy': 'same-origin',",
      to: "'Access-Control-Allow-Origin': '*',",
    },
    test: { file: 'test/http/cross-origin.test.ts' },
  },
  {
    name: 'mailed-pages',
    kind: 'tampering',
    threat: 'A link of a mail shows markup of a stranger in a page of the service.',
    defence: 'Each value in these pages is escaped, and they allow no script.',
    removal: {
      file: 'src/auth/mails/mailed-page.ts',
      from: 'return text.replace(/[&<>"\']/g, (character) => `&#${character.codePointAt(0)};`);',
      to: 'return text;',
    },
    test: { file: 'test/auth/confirm-address.test.ts' },
  },
  {
    name: 'open-redirect',
    kind: 'spoofing',
    threat: 'A link of a mail leads to another site.',
    defence: 'Redirects lead to this origin or to a trusted one.',
    removal: {
      file: 'src/auth/access/refuse-open-redirect.ts',
      from: "throw new ApiError('invalid_callback_url', errorCatalogue.invalid_callback_url.meaning);",
      to: 'void [ApiError, errorCatalogue];',
    },
    test: { file: 'test/auth/account.test.ts' },
  },
  {
    name: 'csv-formulas',
    kind: 'tampering',
    threat: 'A spreadsheet runs a formula from an export.',
    defence: 'Each cell that begins like a formula gets an apostrophe.',
    removal: {
      file: 'src/http/csv-formulas.ts',
      from: 'return text.replace(beginning, "\'");',
      to: 'return text.slice(beginning.lastIndex * 0);',
    },
    test: { file: 'test/http/csv-formulas.test.ts' },
  },
];

const operators: Omit<Defence, 'flow'>[] = [
  {
    name: 'metrics-paths',
    kind: 'disclosure',
    threat: 'The port for operators serves more than metrics and health.',
    defence: 'It has three paths, listens on loopback by default, and the API serves no metrics.',
    removal: {
      file: 'src/operations/serve-operations.ts',
      from: "} else if (path === '/health/live') {",
      to: "} else if (path === '/health/live' || path.length > 14) {",
    },
    test: { file: 'test/operations/health.test.ts' },
  },
  {
    name: 'temporal-tls',
    kind: 'disclosure',
    threat: 'An API key or a certificate for Temporal is sent in clear text.',
    defence: 'Without TLS, a process with one of them refuses to start.',
    removal: {
      file: 'src/temporal-connection.ts',
      from: 'if (set.length > 0) throw problem',
      to: 'if (set.length > 9) throw problem',
    },
    test: { file: 'test/temporal-connection.test.ts' },
  },
  {
    name: 'placeholders',
    kind: 'spoofing',
    threat: 'A process runs with the secret of an example file.',
    defence: 'A process refuses to start while a secret is a placeholder or too short.',
    removal: {
      file: 'src/config.ts',
      from: 'const secret = z.string().refine((value) => !placeholder.test(value), {',
      to: 'const secret = z.string().refine((value) => !placeholder.test(value) || true, {',
    },
    test: { file: 'test/config.test.ts' },
  },
];

const backups: Omit<Defence, 'flow'>[] = [
  {
    name: 'backup-mode',
    kind: 'disclosure',
    threat: 'Another user of the machine reads a backup.',
    defence: 'Its directory and files are readable only by their owner; what is sealed stays sealed in them.',
    removal: {
      file: 'src/backups/write-backup.ts',
      from: 'const [privateDirectory, privateFile] = [0o700, 0o600];',
      to: 'const [privateDirectory, privateFile] = [0o755, 0o644];',
    },
    test: { file: 'test/backups/backup.test.ts', name: 'a backup is readable only by its owner' },
  },
  {
    name: 'backup-digest',
    kind: 'tampering',
    threat: 'A backup was changed or cut off, and is restored.',
    defence: 'The manifest has the SHA-256 of each table; a restore that finds another one changes nothing.',
    removal: {
      file: 'src/backups/restore-backup.ts',
      from: "if (hash.digest('hex') !== sha256) {",
      to: "if (hash.digest('hex') !== sha256 && sha256 === '') {",
    },
    test: { file: 'test/backups/backup.test.ts', name: 'refused, and nothing is changed' },
  },
];

function withFlow(flow: string, list: Omit<Defence, 'flow'>[]): Defence[] {
  return list.map((defence) => ({ flow, ...defence }));
}

export const defences: readonly Defence[] = [
  ...withFlow('caller → API', callerToApi),
  ...withFlow('API → PostgreSQL', apiToPostgres),
  ...withFlow('worker → gateway', workerToGateway),
  ...withFlow('gateway → callback', gatewayToCallback),
  ...withFlow('worker → webhook receiver', workerToReceiver),
  ...withFlow('browser → console', browserToConsole),
  ...withFlow('operator → metrics, Temporal', operators),
  ...withFlow('backups', backups),
];

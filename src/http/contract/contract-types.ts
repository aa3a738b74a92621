// Written by npm run generate from openapi.yaml; changes made here are lost.

/** The schemas of the contract, by name. */
export interface Schemas {
  Problem: {
    type: string;
    title: string;
    status: number;
    detail: string;
    code: string;
    requestId: string;
    errors?: {
      path: string;
      code: string;
      message: string;
    }[];
  };
  CursorPagination: {
    limit: number;
    nextCursor: string | null;
  };
  PagePagination: {
    page: number;
    pageSize: number;
    total: number;
    totalPages: number;
  };
  HttpUrl: string;
  NullableHttpUrl: string | null;
  EmailAddress: string;
  Name: string;
  Timestamp: string;
  NullableTimestamp: string | null;
  CustomFields: Record<string, unknown>;
  AuditAction:
    | 'api_key.created'
    | 'api_key.updated'
    | 'api_key.revoked'
    | 'member.role_changed'
    | 'member.removed'
    | 'invitation.created'
    | 'invitation.accepted'
    | 'invitation.rejected'
    | 'invitation.cancelled'
    | 'user.created'
    | 'user.impersonated'
    | 'user.impersonation_ended'
    | 'user.role_changed'
    | 'user.banned'
    | 'user.unbanned'
    | 'user.two_factor_reset'
    | 'webhook_delivery.redriven'
    | 'messages.redriven'
    | 'webhook_deliveries.redriven'
    | 'redrive.cancelled'
    | 'sender_id.approved'
    | 'sender_id.rejected'
    | 'sender_id.made_default'
    | 'contacts.imported'
    | 'contacts.exported'
    | 'bulk_messages.exported'
    | 'messages.exported'
    | 'inbound_message.redriven'
    | 'sending_controls.changed'
    | 'security_code_watch.changed'
    | 'security_code_alarm.raised'
    | 'security_code_alarm.released'
    | 'content_rule.created'
    | 'content_rule.updated'
    | 'content_rule.deleted'
    | 'retention.changed'
    | 'erasure.requested'
    | 'person.exported';
  AuditEvent: {
    id: string;
    organizationId: string | null;
    at: Schemas['Timestamp'];
    actor: {
      kind: 'api_key' | 'user' | 'system';
      id: string | null;
      name: string | null;
    };
    action: Schemas['AuditAction'];
    subjectId: string;
    details: Record<string, unknown>;
  };
  Readiness: {
    status: 'ok' | 'unavailable';
    parts: Record<string, 'up' | 'down'>;
  };
  MessageInput: {
    to: string;
    text: string;
    from?: string;
    metadata?: Record<string, unknown>;
    webhook?: Schemas['WebhookInput'];
    environment?: 'live' | 'test';
    organizationId?: string;
  };
  WebhookInput: {
    url: string;
    secret?: string;
  };
  Message: {
    id: string;
    organizationId: string;
    from: string;
    to: string;
    text: string;
    status: Schemas['MessageStatus'];
    segments: number;
    providerMessageId: string | null;
    errorCode: string | null;
    errorMessage: string | null;
    metadata: Record<string, unknown>;
    environment: 'live' | 'test';
    createdAt: Schemas['Timestamp'];
    acceptedAt: Schemas['NullableTimestamp'];
    sentAt: Schemas['NullableTimestamp'];
    deliveredAt: Schemas['NullableTimestamp'];
    failedAt: Schemas['NullableTimestamp'];
  };
  MessageStatus: 'queued' | 'accepted' | 'sent' | 'delivered' | 'failed' | 'cancelled';
  MessageEstimate: {
    to: string | null;
    from: string | null;
    environment: 'live' | 'test';
    encoding: 'gsm7' | 'ucs2';
    segments: number;
    codePoints: number;
    units: number;
    unitsPerSegment: number;
    parts: {
      text: string;
      units: number;
      freeUnits: number;
    }[];
    charactersForcingUnicode: {
      character: string;
      codePoint: string;
      positions: number[];
    }[];
    wouldBeRefused: Schemas['MessageRefusal'];
  };
  MessageRefusal: {
    code: string;
    message: string;
  } | null;
  MessageTimeline: {
    messageId: string;
    status: Schemas['MessageStatus'];
    workflowId: string | null;
    data: (
      | Schemas['TimelineQueued']
      | Schemas['TimelineSubmissionAttempted']
      | Schemas['TimelineSubmissionAnswered']
      | Schemas['TimelineSubmissionDoubtful']
      | Schemas['TimelineReportReceived']
      | Schemas['TimelineExpired']
      | Schemas['TimelineSuppressed']
      | Schemas['TimelineRedrive']
      | Schemas['TimelineRefused']
      | Schemas['TimelineCancelled']
      | Schemas['TimelineWebhookCreated']
      | Schemas['TimelineWebhookAttempted']
    )[];
    pagination: Schemas['CursorPagination'];
  };
  ReachedStatus: 'queued' | 'accepted' | 'sent' | 'delivered' | 'failed' | 'cancelled' | null;
  TimelineQueued: {
    at: Schemas['Timestamp'];
    kind: 'queued';
    status: Schemas['ReachedStatus'];
  };
  TimelineSubmissionAttempted: {
    at: Schemas['Timestamp'];
    kind: 'submission_attempted';
    status: Schemas['ReachedStatus'];
    attempt: number;
    possibleDuplicate: boolean;
  };
  TimelineSubmissionAnswered: {
    at: Schemas['Timestamp'];
    kind: 'submission_answered';
    status: Schemas['ReachedStatus'];
    attempt: number;
    outcome: 'accepted' | 'refused' | 'unavailable';
    errorCode: string | null;
    reason: string | null;
    httpStatus: number | null;
  };
  TimelineSubmissionDoubtful: {
    at: Schemas['Timestamp'];
    kind: 'submission_doubtful';
    status: Schemas['ReachedStatus'];
    attempt: number;
    reason: string | null;
    httpStatus: number | null;
  };
  TimelineReportReceived: {
    at: Schemas['Timestamp'];
    kind: 'report_received';
    status: Schemas['ReachedStatus'];
    report: 'delivered' | 'undelivered' | 'buffered' | 'smsc_accepted' | 'smsc_rejected' | 'unknown';
    value: string;
    smscId: string | null;
    providerMessageId: string | null;
  };
  TimelineRedrive: {
    at: Schemas['Timestamp'];
    kind: 'redriven' | 'redrive_of';
    status: Schemas['ReachedStatus'];
    messageId: string;
    redriveId: string;
  };
  TimelineExpired: {
    at: Schemas['Timestamp'];
    kind: 'expired';
    status: Schemas['ReachedStatus'];
    errorCode: 'validity_expired' | 'dlr_timeout';
  };
  TimelineSuppressed: {
    at: Schemas['Timestamp'];
    kind: 'suppressed';
    status: Schemas['ReachedStatus'];
    errorCode: 'recipient_opted_out';
  };
  TimelineRefused: {
    at: Schemas['Timestamp'];
    kind: 'refused';
    status: Schemas['ReachedStatus'];
    errorCode:
      | 'recipient_opted_out'
      | 'duplicate_recipient'
      | 'invalid_recipient'
      | 'text_empty'
      | 'text_too_long'
      | 'destination_not_allowed'
      | 'content_refused';
  };
  TimelineCancelled: {
    at: Schemas['Timestamp'];
    kind: 'cancelled';
    status: Schemas['ReachedStatus'];
  };
  TimelineWebhookCreated: {
    at: Schemas['Timestamp'];
    kind: 'webhook_created';
    status: Schemas['ReachedStatus'];
    deliveryId: string;
    event: string;
    url: string;
    workflowId: string | null;
    deliveryStatus: 'pending' | 'delivered' | 'retrying' | 'dead';
    nextAttemptAt: Schemas['NullableTimestamp'];
  };
  TimelineWebhookAttempted: {
    at: Schemas['Timestamp'];
    kind: 'webhook_attempted';
    status: Schemas['ReachedStatus'];
    deliveryId: string;
    event: string;
    url: string;
    workflowId: string | null;
    attempt: number;
    durationMs: number | null;
    responseStatus: number | null;
    error: string | null;
  };
  MessageScheduleInput: {
    to: string;
    text: string;
    from?: string;
    scheduleType: 'once' | 'recurring';
    startsAt: string;
    endsAt?: string;
    timezone?: string;
    recurrence?: {
      unit: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';
      interval: number | string;
    };
    organizationId?: string;
  };
  MessageScheduleAction: {
    action: 'pause' | 'resume' | 'cancel';
    organizationId?: string;
  };
  MessageSchedule: {
    id: string;
    organizationId: string;
    environment: 'live' | 'test';
    to: string;
    text: string;
    from: string | null;
    scheduleType: 'once' | 'recurring';
    startsAt: Schemas['Timestamp'];
    endsAt: Schemas['NullableTimestamp'];
    timezone: string;
    recurrence: {
      unit: 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year';
      interval: number;
    } | null;
    status: 'active' | 'paused' | 'completed' | 'cancelled';
    nextRunAt: string | null;
    upcomingRuns: Schemas['Timestamp'][];
    lastRunAt: string | null;
    lastRuns: Schemas['MessageScheduleRun'][];
    counts: {
      created: number;
      failed: number;
      missed: number;
      skipped: number;
    };
    createdAt: Schemas['Timestamp'];
  };
  MessageScheduleRun: {
    dueAt: Schemas['Timestamp'];
    outcome: 'created' | 'failed' | 'missed';
    occurrences: number;
    lastDueAt: Schemas['Timestamp'];
    messageId: string | null;
    messageStatus: 'queued' | 'accepted' | 'sent' | 'delivered' | 'failed' | 'cancelled' | null;
    errorCode: string | null;
  };
  SecurityCodeInput: {
    to: string;
    channel?: 'sms';
    purpose?: string;
    from?: string;
    code?: {
      type?: 'numeric' | 'alphanumeric';
      length?: number | string;
    };
    ttlSeconds?: number | string;
    maxAttempts?: number | string;
    template?: string;
    metadata?: Record<string, unknown>;
    organizationId?: string;
  };
  SecurityCode: {
    verificationId: string;
    organizationId: string;
    environment: 'live' | 'test';
    status: 'pending';
    channel: 'sms';
    purpose: string;
    from: string;
    to: string;
    attemptsRemaining: number;
    messageId: string;
    metadata: Record<string, unknown>;
    createdAt: Schemas['Timestamp'];
    expiresAt: Schemas['Timestamp'];
  };
  VerificationInput: {
    verificationId: string;
    code: string;
    organizationId?: string;
  };
  VerificationResult: {
    verificationId: string;
    valid: boolean;
    status: 'verified' | 'incorrect' | 'expired' | 'max_attempts_reached' | 'already_used' | 'superseded';
    attemptsRemaining: number;
  };
  ContactCount: {
    count: number;
  };
  ContactVerificationRequest: {
    organizationId: string;
  };
  ContactVerification: {
    contactId: string;
    verificationId: string;
    to: string;
    status: 'pending';
    attemptsRemaining: number;
    expiresAt: Schemas['Timestamp'];
    messageId: string;
  };
  ContactConfirmationInput: {
    organizationId: string;
    code: string;
  };
  ContactConfirmation: {
    verificationId: string;
    valid: boolean;
    status: 'verified' | 'incorrect' | 'expired' | 'max_attempts_reached' | 'already_used' | 'superseded';
    attemptsRemaining: number;
    contact: Schemas['Contact'];
  };
  ContactInput: {
    organizationId: string;
    phoneNumber: string;
    firstName?: string | null;
    lastName?: string | null;
    email?: string | null;
    company?: string | null;
    tags?: string[] | null;
    customFields?: Schemas['CustomFields'];
  };
  Contact: {
    id: string;
    organizationId: string;
    phoneNumber: string;
    firstName: string | null;
    lastName: string | null;
    email: string | null;
    company: string | null;
    tags: string[];
    customFields: Schemas['CustomFields'];
    phoneVerifiedAt: string | null;
    createdAt: string;
    updatedAt: string;
  };
  ContactImportInput: {
    organizationId: string;
    file: string;
  };
  ContactImport: {
    id: string;
    organizationId: string;
    status: 'processing' | 'completed' | 'failed';
    failure: {
      code: 'processing_failed';
      message: string;
    } | null;
    imported: number;
    updated: number;
    skipped: number;
    rejected: number;
    errors: Schemas['ContactImportError'][];
    createdAt: string;
    completedAt: Schemas['NullableTimestamp'];
    rejectsExpireAt: string | null;
  };
  ContactImportError: {
    line: number;
    column: string | null;
    code: string;
    message: string;
  };
  PhonebookMembersAdded: {
    organizationId?: string;
    contactIds: string[];
  };
  PhonebookInput: {
    organizationId?: string;
    name: string;
    description?: string;
  };
  PhonebookChange: {
    organizationId: string;
    name: string;
    description?: string | null;
  };
  Phonebook: {
    id: string;
    organizationId: string;
    name: string;
    description: string | null;
    memberCount: number;
    createdAt: string;
    updatedAt: string;
  };
  PhonebookMembersInput: {
    organizationId: string;
    contactIds: string[];
  };
  PhonebookMembersReplaced: {
    memberCount: number;
    added: number;
    removed: number;
  };
  BulkSmsStatus: 'pending' | 'scheduled' | 'processing' | 'paused' | 'completed' | 'cancelled' | 'failed';
  BulkSmsInput: {
    campaignId: string;
    contactListId: string;
    text: string;
    scheduledAt?: string;
    organizationId?: string;
  };
  BulkSmsEstimateInput: {
    campaignId?: string;
    contactListId: string;
    text: string;
    organizationId?: string;
  };
  BulkSmsRefused: {
    optedOut: number;
    duplicates: number;
    invalid: number;
  };
  BulkSmsEstimate: {
    recipients: number;
    refused: Schemas['BulkSmsRefused'];
    unsendableTexts: number;
    messages: number;
    segments: number;
    encodings: {
      gsm7: number;
      ucs2: number;
    };
    longestSegments: number;
  };
  BulkSmsAction: {
    organizationId?: string;
  };
  BulkSmsRate: {
    ratePerSecond: number | null;
    organizationId?: string;
  };
  BulkSms: {
    id: string;
    organizationId: string;
    environment: 'live' | 'test';
    campaignId: string;
    contactListId: string;
    text: string;
    from: string;
    status: Schemas['BulkSmsStatus'];
    scheduledAt: Schemas['NullableTimestamp'];
    ratePerSecond: number | null;
    ledger: {
      total: number;
      queued: number;
      accepted: number;
      sent: number;
      delivered: number;
      failed: number;
      cancelled: number;
    };
    refused: Schemas['BulkSmsRefused'];
    segments: number;
    measuredRatePerSecond: number | null;
    estimatedEndAt: string | null;
    failure: {
      code:
        | 'sender_not_approved'
        | 'campaign_not_active'
        | 'contact_list_deleted'
        | 'no_recipients'
        | 'processing_failed';
      message: string;
    } | null;
    createdAt: Schemas['Timestamp'];
    startedAt: Schemas['NullableTimestamp'];
    completedAt: Schemas['NullableTimestamp'];
  };
  BulkSmsFailures: {
    failed: number;
    errorCodes: {
      errorCode: string | null;
      recipients: number;
    }[];
  };
  BulkSmsMessage: {
    position: number;
    messageId: string | null;
    contactId: string;
    to: string;
    status: Schemas['MessageStatus'];
    text: string | null;
    segments: number | null;
    errorCode: string | null;
    errorMessage: string | null;
    createdAt: Schemas['NullableTimestamp'];
    acceptedAt: Schemas['NullableTimestamp'];
    sentAt: Schemas['NullableTimestamp'];
    deliveredAt: Schemas['NullableTimestamp'];
    failedAt: Schemas['NullableTimestamp'];
  };
  SecurityCodeAnalytics: {
    from: string;
    to: string;
    timezone: string;
    totals: Schemas['SecurityCodeCounts'];
    daily: {
      date: string;
      counts: Schemas['SecurityCodeCounts'];
    }[];
    countries: {
      callingCode: string | null;
      counts: Schemas['SecurityCodeCounts'];
    }[];
  };
  SecurityCodeCounts: {
    codes: number;
    delivered: number;
    verified: number;
    expired: number;
    blocked: number;
    superseded: number;
    pending: number;
    conversionRate: number | null;
  };
  Analytics: {
    from: string;
    to: string;
    timezone: string;
    totals: Schemas['AnalyticsTotals'];
    daily: Schemas['AnalyticsDay'][];
    senders: Schemas['AnalyticsSender'][];
    campaigns: Schemas['AnalyticsCampaign'][];
    errorCodes: {
      errorCode: string;
      messages: number;
    }[];
  };
  AnalyticsTotals: {
    messages: number;
    segments: number;
    queued: number;
    accepted: number;
    sent: number;
    delivered: number;
    failed: number;
    cancelled: number;
    deliveryRate: Schemas['DeliveryRate'];
    medianDeliveryMs: Schemas['DeliveryTimeMs'];
    p95DeliveryMs: Schemas['DeliveryTimeMs'];
  };
  AnalyticsDay: {
    date: string;
    messages: number;
    segments: number;
    queued: number;
    accepted: number;
    sent: number;
    delivered: number;
    failed: number;
    cancelled: number;
    deliveryRate: Schemas['DeliveryRate'];
    medianDeliveryMs: Schemas['DeliveryTimeMs'];
    p95DeliveryMs: Schemas['DeliveryTimeMs'];
  };
  AnalyticsSender: {
    sender: string;
    messages: number;
    segments: number;
    queued: number;
    accepted: number;
    sent: number;
    delivered: number;
    failed: number;
    cancelled: number;
    deliveryRate: Schemas['DeliveryRate'];
    medianDeliveryMs: Schemas['DeliveryTimeMs'];
    p95DeliveryMs: Schemas['DeliveryTimeMs'];
  };
  AnalyticsCampaign: {
    campaignId: string;
    name: string;
    messages: number;
    segments: number;
    queued: number;
    accepted: number;
    sent: number;
    delivered: number;
    failed: number;
    cancelled: number;
    deliveryRate: Schemas['DeliveryRate'];
  };
  DeliveryRate: number | null;
  DeliveryTimeMs: number | null;
  Notification: {
    id: string;
    organizationId: string | null;
    kind:
      | 'sender_id_reviewed'
      | 'batch_completed'
      | 'batch_failed'
      | 'schedule_missed'
      | 'webhook_dead'
      | 'inbound_failed'
      | 'security_codes_unverified'
      | 'invitation_received';
    subjectId: string;
    title: string;
    body: string;
    data: Record<string, string | number | boolean | null>;
    createdAt: Schemas['Timestamp'];
    readAt: Schemas['NullableTimestamp'];
  };
  ReadAllNotificationsInput: {
    organizationId: string;
  };
  Permission:
    | 'messages:send'
    | 'messages:read'
    | 'security-codes:send'
    | 'security-codes:verify'
    | 'schedules:write'
    | 'schedules:read'
    | 'contacts:write'
    | 'contacts:read'
    | 'contacts:verify'
    | 'contacts:import'
    | 'contacts:export'
    | 'phonebooks:write'
    | 'phonebooks:read'
    | 'templates:write'
    | 'templates:read'
    | 'campaigns:write'
    | 'campaigns:read'
    | 'bulk:write'
    | 'bulk:read'
    | 'bulk:export'
    | 'analytics:read'
    | 'analytics:export'
    | 'sender-ids:read'
    | 'sender-ids:write'
    | 'inbound:read'
    | 'inbound:write'
    | 'webhooks:read'
    | 'webhooks:write';
  ApiKeyMetadata: {
    service?: string;
    description?: string;
    tags?: string[];
  };
  ApiKeyInput: {
    organizationId: string;
    name: string;
    environment: 'live' | 'test';
    permissions: Schemas['Permission'][];
    metadata?: Schemas['ApiKeyMetadata'];
    expiresAt?: string;
    allowedAddresses?: Schemas['AllowedAddresses'];
  };
  AllowedAddresses: string[];
  ApiKeyChange: {
    organizationId: string;
    name?: string;
    permissions?: Schemas['Permission'][];
    metadata?: Schemas['ApiKeyMetadata'];
    expiresAt?: string | null;
    allowedAddresses?: string[] | null;
  };
  ApiKey: {
    id: string;
    organizationId: string;
    name: string;
    environment: 'live' | 'test';
    prefix: string;
    publicId: string;
    permissions: Schemas['Permission'][];
    metadata: Record<string, unknown> | null;
    expiresAt: Schemas['NullableTimestamp'];
    allowedAddresses: string[] | null;
    lastUsedAt: Schemas['NullableTimestamp'];
    revokedAt: Schemas['NullableTimestamp'];
    createdAt: Schemas['Timestamp'];
  };
  NewApiKey: {
    id: string;
    organizationId: string;
    name: string;
    environment: 'live' | 'test';
    prefix: string;
    publicId: string;
    permissions: Schemas['Permission'][];
    metadata: Record<string, unknown> | null;
    expiresAt: Schemas['NullableTimestamp'];
    allowedAddresses: string[] | null;
    lastUsedAt: Schemas['NullableTimestamp'];
    revokedAt: Schemas['NullableTimestamp'];
    createdAt: Schemas['Timestamp'];
    key: string;
  };
  Slug: string;
  OrganizationInput: {
    name: Schemas['Name'];
    slug: Schemas['Slug'];
    logo?: Schemas['HttpUrl'];
    metadata?: string;
    keepCurrentActiveOrganization?: boolean;
  };
  OrganizationLimits: {
    requestsPerMinute: number;
    requestsPerMinuteOfCaller: number;
    invitationsPerDayOfUser: number;
    securityCodesPerRecipient: {
      codes: number;
      windowSeconds: number;
    };
    sending: Schemas['SendingLimits'];
  };
  OrganizationUpdate: {
    data: Schemas['OrganizationChanges'];
    organizationId?: string;
  };
  ActiveOrganizationInput: {
    organizationId?: string | null;
  };
  SlugInput: {
    slug: Schemas['Slug'];
  };
  MemberRoleInput: {
    memberId: string;
    role: Schemas['MemberRole'];
    organizationId?: string;
  };
  RemoveMemberInput: {
    memberIdOrEmail: string;
    organizationId?: string;
  };
  LeaveInput: {
    organizationId: string;
  };
  InvitationInput: {
    email: Schemas['EmailAddress'];
    role: Schemas['MemberRole'];
    organizationId?: string;
    resend?: boolean;
  };
  InvitationIdInput: {
    invitationId: string;
  };
  OrganizationChanges: {
    name?: Schemas['Name'];
    slug?: Schemas['Slug'];
    logo?: Schemas['NullableHttpUrl'];
    metadata?: string | null;
  };
  MemberRole: 'owner' | 'admin' | 'member';
  Organization: {
    id: string;
    name: string;
    slug: string;
    logo?: string;
    createdAt: Schemas['Timestamp'];
    metadata?: string;
  };
  OrganizationWithMembers: {
    id: string;
    name: string;
    slug: string;
    logo?: string;
    createdAt: Schemas['Timestamp'];
    metadata?: string;
    members: Schemas['MemberWithUser'][];
    invitations?: Schemas['Invitation'][];
  };
  Member: {
    id: string;
    organizationId: string;
    userId: string;
    role: Schemas['MemberRole'];
    createdAt: Schemas['Timestamp'];
  };
  MemberWithUser: {
    id: string;
    organizationId: string;
    userId: string;
    role: Schemas['MemberRole'];
    createdAt: Schemas['Timestamp'];
    user?: Schemas['MemberUser'];
  };
  MemberUser: {
    id: string;
    name: string;
    email: string;
    image?: string;
  };
  Invitation: {
    id: string;
    organizationId: string;
    email: string;
    role?: Schemas['MemberRole'];
    status: 'pending' | 'accepted' | 'rejected' | 'canceled' | 'expired';
    expiresAt: Schemas['Timestamp'];
    createdAt: Schemas['Timestamp'];
    inviterId: string;
  };
  InvitationWithNames: {
    id: string;
    organizationId: string;
    email: string;
    role?: Schemas['MemberRole'];
    status: 'pending' | 'accepted' | 'rejected' | 'canceled' | 'expired';
    expiresAt: Schemas['Timestamp'];
    createdAt: Schemas['Timestamp'];
    inviterId: string;
    organizationName?: string;
    organizationSlug?: string;
    inviterEmail?: string;
  };
  SignUpInput: {
    name: Schemas['Name'];
    email: Schemas['EmailAddress'];
    password: string;
    image?: Schemas['HttpUrl'];
    callbackURL?: string;
    rememberMe?: boolean;
  };
  SignInInput: {
    email: Schemas['EmailAddress'];
    password: string;
    callbackURL?: string;
    rememberMe?: boolean;
    code?: string;
  };
  EnableTwoFactorInput: {
    password: string;
  };
  ConfirmTwoFactorInput: {
    code: string;
  };
  TwoFactorProof: {
    password: string;
    code: string;
  };
  TwoFactorState: {
    isEnabled: boolean;
    recoveryCodesLeft: number;
  };
  TwoFactorSecret: {
    totpURI: string;
  };
  RecoveryCodes: {
    recoveryCodes: string[];
  };
  TwoFactorDisabled: {
    success: boolean;
  };
  SecurityEventPage: {
    data: Schemas['SecurityEvent'][];
    pagination: Schemas['CursorPagination'];
  };
  SecurityEvent: {
    id: string;
    at: Schemas['Timestamp'];
    kind: Schemas['SecurityEventKind'];
    method: Schemas['SignInMethod'] | null;
    ipAddress: string | null;
    userAgent: string | null;
    administratorId: string | null;
  };
  SecurityEventKind:
    | 'signed_in'
    | 'sign_in_failed'
    | 'signed_out'
    | 'session_ended'
    | 'password_changed'
    | 'password_reset'
    | 'two_factor_enabled'
    | 'two_factor_disabled'
    | 'two_factor_reset'
    | 'recovery_codes_renewed'
    | 'passkey_added'
    | 'passkey_removed';
  SignInMethod: 'password' | 'second_factor' | 'recovery_code' | 'passkey' | 'provider';
  PasskeyOptions: {
    challenge: string;
  };
  Passkey: {
    id: string;
    name: string | null;
    isSynced: boolean;
    createdAt: Schemas['Timestamp'];
  };
  AddPasskeyInput: {
    name?: string;
    response: {
      id: string;
      rawId: string;
      type: 'public-key';
      response: {
        clientDataJSON: string;
        attestationObject: string;
        transports?: string[];
      };
    };
  };
  PasskeySignInInput: {
    response: {
      id: string;
      rawId: string;
      type: 'public-key';
      response: {
        clientDataJSON: string;
        authenticatorData: string;
        signature: string;
        userHandle?: string;
      };
    };
  };
  RemovePasskeyInput: {
    id: string;
  };
  SignInOptions: {
    providers: {
      id: string;
      kind: 'google' | 'github' | 'oidc';
    }[];
    isSignUpOpen: boolean;
    hasPasskeys: boolean;
  };
  SocialSignInInput: {
    provider: string;
    callbackURL?: string;
    errorCallbackURL?: string;
    newUserCallbackURL?: string;
    disableRedirect?: boolean;
    requestSignUp?: boolean;
    loginHint?: string;
    scopes?: string[];
    idToken?: Schemas['ProviderToken'];
  };
  RevokeSessionInput: {
    token: string;
  };
  EmailInput: {
    email: Schemas['EmailAddress'];
    callbackURL?: string;
  };
  VerifyEmailInput: {
    token: string;
    callbackURL?: string;
  };
  PasswordResetRequest: {
    email: Schemas['EmailAddress'];
    redirectTo?: string;
  };
  PasswordResetInput: {
    newPassword: string;
    token: string;
  };
  ChangePasswordInput: {
    newPassword: string;
    currentPassword: string;
    revokeOtherSessions?: boolean;
  };
  UpdateUserInput: {
    name?: Schemas['Name'];
    image?: Schemas['NullableHttpUrl'];
  };
  LinkSocialInput: {
    provider: string;
    callbackURL?: string;
    errorCallbackURL?: string;
    disableRedirect?: boolean;
    scopes?: string[];
  };
  UnlinkAccountInput: {
    accountId: string;
  };
  ProviderToken: {
    token: string;
    nonce?: string;
    accessToken?: string;
    refreshToken?: string;
  };
  UserRole: 'user' | 'admin';
  User: {
    id: string;
    name: string;
    email: string;
    emailVerified: boolean;
    image?: string;
    createdAt: Schemas['Timestamp'];
    updatedAt: Schemas['Timestamp'];
    role?: Schemas['UserRole'];
    banned?: boolean;
    banReason?: string;
    banExpires?: Schemas['Timestamp'];
  };
  Session: {
    id: string;
    expiresAt: Schemas['Timestamp'];
    token: string;
    createdAt: Schemas['Timestamp'];
    updatedAt: Schemas['Timestamp'];
    ipAddress?: string;
    userAgent?: string;
    userId: string;
    impersonatedBy?: string;
    activeOrganizationId?: string;
  };
  SessionAndUser: {
    session: Schemas['Session'];
    user: Schemas['User'];
  };
  Account: {
    id: string;
    accountId: string;
    providerId: string;
    userId: string;
    accessToken?: string;
    refreshToken?: string;
    idToken?: string;
    accessTokenExpiresAt?: Schemas['Timestamp'];
    refreshTokenExpiresAt?: Schemas['Timestamp'];
    scope?: string;
    password?: string;
    createdAt: Schemas['Timestamp'];
    updatedAt: Schemas['Timestamp'];
  };
  Verification: {
    id: string;
    identifier: string;
    value: string;
    expiresAt: Schemas['Timestamp'];
    createdAt: Schemas['Timestamp'];
    updatedAt: Schemas['Timestamp'];
  };
  ServiceSettings: {
    temporalUiUrl: string | null;
    temporalNamespace: string;
  };
  AdministeredOrganization: {
    id: string;
    name: string;
    slug: string;
    memberCount: number;
    createdAt: Schemas['Timestamp'];
  };
  FailedMessage: {
    id: string;
    organizationId: string;
    organizationName: string;
    environment: 'live' | 'test';
    from: string;
    to: string;
    errorCode: string | null;
    errorMessage: string | null;
    bulkSmsId: string | null;
    workflowId: string | null;
    createdAt: Schemas['Timestamp'];
    failedAt: Schemas['NullableTimestamp'];
  };
  UserIdInput: {
    userId: string;
  };
  CreateUserInput: {
    email: Schemas['EmailAddress'];
    name: Schemas['Name'];
    password?: string;
    role?: Schemas['UserRole'];
  };
  SetRoleInput: {
    userId: string;
    role: Schemas['UserRole'];
  };
  BanInput: {
    userId: string;
    banReason?: string;
    banExpiresIn?: number;
  };
  SessionTokenInput: {
    sessionToken: string;
  };
  ReviewedSenderId: {
    id: string;
    organizationId: string;
    value: string;
    status: Schemas['SenderIdStatus'];
    isDefault: boolean;
    useCase: string;
    sampleMessage: string;
    website: string | null;
    warnings: string[];
    reviewReason: string | null;
    reviewedAt: Schemas['NullableTimestamp'];
    organizationName: string;
    requestedBy: {
      kind: 'api_key' | 'user';
      id: string;
      name: string | null;
      email: string | null;
    } | null;
    createdAt: Schemas['Timestamp'];
  };
  SenderIdReview: {
    action: 'approve' | 'reject';
    reason?: string;
    isDefault?: boolean;
  };
  RedriveInput: {
    organizationId?: string;
  };
  MessageRedriveInput: {
    from: string;
    to: string;
    organizationId?: string;
    errorCode?:
      | 'content_refused'
      | 'destination_not_allowed'
      | 'dlr_timeout'
      | 'gateway_rejected'
      | 'not_routable'
      | 'smsc_rejected'
      | 'undelivered'
      | 'validity_expired';
    environment?: 'live' | 'test';
    limit?: number;
  };
  DeliveryRedriveInput: {
    from: string;
    to: string;
    organizationId?: string;
    errorCode?: string;
    environment?: 'live' | 'test';
    limit?: number;
  };
  Redrive: {
    id: string;
    kind: 'messages' | 'webhook_deliveries';
    status: 'pending' | 'running' | 'completed' | 'cancelled' | 'failed';
    failure: {
      code: 'processing_failed';
      message: string;
    } | null;
    filter: {
      from: Schemas['Timestamp'];
      to: Schemas['Timestamp'];
      organizationId: string | null;
      errorCode: string | null;
      environment: 'live' | 'test' | null;
    };
    limit: number;
    matched: number;
    redriven: number;
    skipped: Partial<
      Record<
        | 'already_redriven'
        | 'error_not_redrivable'
        | 'not_dead'
        | 'one_time_text'
        | 'personal_data_discarded'
        | 'sender_not_approved',
        number
      >
    >;
    requestedBy: string;
    createdAt: Schemas['Timestamp'];
    startedAt: Schemas['NullableTimestamp'];
    endedAt: Schemas['NullableTimestamp'];
  };
  SendingControlsInput: {
    held: boolean;
    reason?: string;
    destinations?: string[] | null;
    messagesPerHour?: number | null;
    recipientMessagesPerHour?: number | null;
    recipientMessagesPerDay?: number | null;
    prefixCaps?: Schemas['PrefixCap'][] | null;
    newOrganizations?: {
      days: number;
      messagesPerDay: number;
    } | null;
    newOrganizationLimitLifted?: boolean;
  };
  PrefixCap: {
    prefix: string;
    messagesPerHour: number;
  };
  SendingControls: {
    organizationId: string | null;
    held: boolean;
    heldAt: Schemas['NullableTimestamp'];
    reason: string | null;
    destinations: string[] | null;
    messagesPerHour: number | null;
    recipientMessagesPerHour: number | null;
    recipientMessagesPerDay: number | null;
    prefixCaps: Schemas['PrefixCap'][] | null;
    newOrganizations: {
      days: number;
      messagesPerDay: number;
    } | null;
    newOrganizationLimitLifted: boolean;
    updatedAt: Schemas['NullableTimestamp'];
  };
  SendingLimits: {
    messagesPerHour: Schemas['SendingCapUse'] | null;
    recipientMessagesPerHour: number | null;
    recipientMessagesPerDay: number | null;
    prefixes: {
      prefix: string;
      cap: Schemas['SendingCapUse'];
    }[];
    newOrganization: {
      messagesPerDay: Schemas['SendingCapUse'];
      endsAt: Schemas['Timestamp'];
    } | null;
  };
  SendingCapUse: {
    limit: number;
    used: number;
    resetsAt: Schemas['Timestamp'];
  };
  SecurityCodeWatchMode: 'off' | 'alarm' | 'hold';
  SecurityCodeWatchInput: {
    mode: Schemas['SecurityCodeWatchMode'];
    minCodes: number;
    minVerifiedPercent: number;
    holdHours: number;
    exemptOrganizationIds?: string[];
    exemptPrefixes?: string[];
  };
  SecurityCodeWatch: {
    mode: Schemas['SecurityCodeWatchMode'];
    minCodes: number;
    minVerifiedPercent: number;
    holdHours: number;
    exemptOrganizationIds: string[];
    exemptPrefixes: string[];
    updatedAt: Schemas['NullableTimestamp'];
  };
  SecurityCodeAlarm: {
    id: string;
    organizationId: string;
    organizationName: string;
    prefix: string;
    holds: boolean;
    codes: number;
    verified: number;
    raisedAt: Schemas['Timestamp'];
    endsAt: Schemas['Timestamp'];
    endedAt: Schemas['NullableTimestamp'];
    releasedBy: string | null;
  };
  ContentRuleKind: 'contains' | 'link_in' | 'link_not_in';
  ContentRuleChange: {
    kind: Schemas['ContentRuleKind'];
    values: string[];
    reason: string;
  };
  ContentRuleInput: {
    organizationId?: string | null;
    kind: Schemas['ContentRuleKind'];
    values: string[];
    reason: string;
  };
  ContentRule: {
    id: string;
    organizationId: string | null;
    kind: Schemas['ContentRuleKind'];
    values: string[];
    reason: string;
    createdAt: Schemas['Timestamp'];
    updatedAt: Schemas['Timestamp'];
  };
  WebhookDelivery: {
    id: string;
    messageId: string;
    organizationId: string;
    environment: 'live' | 'test';
    event: 'message.accepted' | 'message.sent' | 'message.delivered' | 'message.failed' | 'message.received';
    url: string;
    status: 'pending' | 'delivered' | 'retrying' | 'dead';
    attempts: number;
    nextAttemptAt: string | null;
    createdAt: Schemas['Timestamp'];
    deliveredAt: Schemas['NullableTimestamp'];
    lastAttempt: Schemas['WebhookAttempt'] | null;
  };
  WebhookDeliveryDetails: {
    delivery: Schemas['WebhookDelivery'];
    body: string;
    attempts: Schemas['WebhookAttempt'][];
  };
  WebhookAttempt: {
    number: number;
    at: Schemas['Timestamp'];
    durationMs: number | null;
    httpStatus: number | null;
    response: string | null;
    error: {
      code: string;
      message: string;
    } | null;
  };
  WebhookEnvelope: {
    id: string;
    event: 'message.accepted' | 'message.sent' | 'message.delivered' | 'message.failed' | 'message.received';
    createdAt: Schemas['Timestamp'];
    data: Schemas['MessageSnapshot'] | Schemas['ReceivedSnapshot'];
  };
  MessageSnapshot: {
    id: string;
    organizationId: string;
    event: 'message.accepted' | 'message.sent' | 'message.delivered' | 'message.failed';
    status: 'accepted' | 'sent' | 'delivered' | 'failed';
    from: string;
    to: string;
    segments: number;
    providerMessageId: string | null;
    errorCode: string | null;
    errorMessage: string | null;
    createdAt: Schemas['Timestamp'];
    sentAt: Schemas['NullableTimestamp'];
    deliveredAt: Schemas['NullableTimestamp'];
    failedAt: Schemas['NullableTimestamp'];
  };
  ReceivedSnapshot: {
    id: string;
    organizationId: string;
    event: 'message.received';
    from: string;
    to: string;
    text: string;
    providerMessageId: string | null;
    inReplyToMessageId: string;
    receivedAt: Schemas['Timestamp'];
  };
  TemplateCategory: 'general' | 'marketing' | 'notification' | 'otp' | 'reminder';
  TemplateScope: 'team' | 'personal';
  TemplateInput: {
    organizationId: string;
    name: string;
    content: string;
    category?: Schemas['TemplateCategory'];
    scope?: Schemas['TemplateScope'];
  };
  Template: {
    id: string;
    organizationId: string;
    name: string;
    content: string;
    category: Schemas['TemplateCategory'];
    scope: Schemas['TemplateScope'];
    encoding: 'gsm7' | 'ucs2';
    segments: number;
    mergeFields: {
      name: string;
      default: string | null;
    }[];
    warnings: string[];
    createdAt: Schemas['Timestamp'];
    updatedAt: Schemas['Timestamp'];
  };
  CampaignStatus: 'active' | 'paused' | 'archived';
  CampaignInput: {
    organizationId: string;
    name: string;
    description?: string | null;
    sender?: string | null;
    status?: Schemas['CampaignStatus'];
  };
  Campaign: {
    id: string;
    organizationId: string;
    name: string;
    description: string | null;
    sender: string | null;
    status: Schemas['CampaignStatus'];
    batches: number;
    messages: number;
    createdAt: Schemas['Timestamp'];
    updatedAt: Schemas['Timestamp'];
  };
  SenderIdStatus: 'pending' | 'approved' | 'rejected';
  SenderIdInput: {
    value: string;
    useCase: string;
    sampleMessage: string;
    website?: string;
    organizationId?: string;
  };
  SenderId: {
    id: string;
    organizationId: string;
    value: string;
    status: Schemas['SenderIdStatus'];
    isDefault: boolean;
    useCase: string;
    sampleMessage: string;
    website: string | null;
    warnings: string[];
    reviewReason: string | null;
    reviewedAt: Schemas['NullableTimestamp'];
    requestedBy: {
      kind: 'api_key' | 'user';
      id: string;
    } | null;
    createdAt: Schemas['Timestamp'];
  };
  SuppressionInput: {
    phoneNumber: string;
    reason?: string;
    organizationId?: string;
  };
  Suppression: {
    id: string;
    organizationId: string;
    phoneNumber: string;
    reason: string | null;
    source: 'operator' | 'recipient';
    createdAt: Schemas['Timestamp'];
  };
  Days: number | null;
  RetentionInput: {
    textDays?: Schemas['Days'];
    numberDays?: Schemas['Days'];
    inboundDays?: Schemas['Days'];
    webhookBodyDays?: Schemas['Days'];
    organizationId?: string;
  };
  Retention: {
    organizationId: string;
    textDays: number | null;
    numberDays: number | null;
    inboundDays: number | null;
    webhookBodyDays: number | null;
    discarded: {
      messageTexts: number;
      messageNumbers: number;
      inboundMessages: number;
      webhookBodies: number;
    };
    lastRunAt: string | null;
  };
  ErasureInput: {
    phoneNumber: string;
    organizationId?: string;
  };
  Erasure: {
    id: string;
    organizationId: string;
    status: 'running' | 'waiting' | 'completed';
    numberHash: string;
    waitingFor:
      'messages' | 'security_codes' | 'inbound_messages' | 'webhook_deliveries' | 'contact_imports' | null;
    erased: Record<string, number>;
    createdAt: Schemas['Timestamp'];
    completedAt: string | null;
  };
  PlatformErasureInput: {
    phoneNumber: string;
  };
  PlatformErasure: {
    id: string;
    status: 'running' | 'waiting' | 'completed';
    numberHash: string;
    waitingFor:
      'messages' | 'security_codes' | 'inbound_messages' | 'webhook_deliveries' | 'contact_imports' | null;
    erased: Record<string, number>;
    createdAt: Schemas['Timestamp'];
    completedAt: string | null;
  };
  PlatformPersonExport: {
    phoneNumber: string;
    inboundMessages: Schemas['ExportedRows'];
  };
  Consent: {
    optedOut: boolean;
    history: Schemas['ConsentEvent'][];
  };
  ConsentEvent: {
    id: string;
    at: Schemas['Timestamp'];
    kind: 'opted_out' | 'opted_in';
    source: 'recipient' | 'operator';
    inboundMessageId: string | null;
    actor: {
      kind: 'api_key' | 'user';
      id: string;
    } | null;
  };
  PersonExport: {
    phoneNumber: string;
    contacts: Schemas['ExportedRows'];
    phonebooks: Schemas['ExportedRows'];
    messages: Schemas['ExportedRows'];
    securityCodes: Schemas['ExportedRows'];
    schedules: Schemas['ExportedRows'];
    bulkRecipients: Schemas['ExportedRows'];
    inboundMessages: Schemas['ExportedRows'];
    webhookDeliveries: Schemas['ExportedRows'];
    importRejects: Schemas['ExportedRows'];
    suppressions: Schemas['ExportedRows'];
    mentions: Schemas['ExportedRows'];
    consent: Schemas['ExportedRows'];
  };
  ExportedRows: Record<string, unknown>[];
  InboundKeywordInput: {
    keyword: string;
    response: string;
    matchType?: Schemas['MatchType'];
    sender?: string | null;
    enabled?: boolean;
    organizationId?: string;
  };
  InboundKeywordChange: {
    keyword?: string;
    response?: string;
    matchType?: Schemas['MatchType'];
    sender?: string | null;
    enabled?: boolean;
    organizationId?: string;
  };
  InboundKeywordTest: {
    text: string;
    organizationId?: string;
  };
  InboundKeywordMatch: {
    matched: 'keyword' | 'stop' | 'start' | null;
    rule: Schemas['InboundKeyword'] | null;
    reply: string | null;
  };
  InboundThreadEntry: {
    id: string;
    direction: 'inbound' | 'outbound';
    from: string;
    to: string;
    text: string;
    status: string;
    environment: 'live' | 'test' | null;
    errorCode: string | null;
    errorMessage: string | null;
    createdAt: Schemas['Timestamp'];
  };
  MatchType: 'exact' | 'starts_with' | 'contains';
  InboundKeyword: {
    id: string;
    organizationId: string;
    keyword: string;
    response: string;
    matchType: Schemas['MatchType'];
    sender: string | null;
    enabled: boolean;
    createdAt: Schemas['Timestamp'];
    updatedAt: Schemas['Timestamp'];
  };
  InboundMessage: {
    id: string;
    organizationId: string | null;
    from: string;
    to: string;
    text: string;
    status: 'received' | 'processing' | 'processed' | 'failed' | 'unmatched';
    matched: 'keyword' | 'stop' | 'start' | null;
    keywordId: string | null;
    replyMessageId: string | null;
    inReplyToMessageId: string | null;
    errorCode: string | null;
    errorMessage: string | null;
    smscId: string | null;
    providerMessageId: string | null;
    workflowId: string | null;
    receivedAt: Schemas['Timestamp'];
    processedAt: Schemas['NullableTimestamp'];
  };
}

/** What the operations that read a query or a body receive, by operationId. */
export interface Inputs {
  sendMessage: { body: Schemas['MessageInput'] };
  listMessages: {
    query: {
      organizationId?: string;
      environment?: 'live' | 'test';
      status?: Schemas['MessageStatus'];
      to?: string;
      from?: string;
      createdFrom?: string;
      createdBefore?: string;
      limit?: string;
      cursor?: string;
    };
  };
  scheduleMessage: { body: Schemas['MessageScheduleInput'] };
  estimateMessage: { body: Schemas['MessageInput'] };
  getMessage: {
    query: {
      organizationId?: string;
    };
  };
  sendSecurityCode: { body: Schemas['SecurityCodeInput'] };
  verifySecurityCode: { body: Schemas['VerificationInput'] };
  listMessageSchedules: {
    query: {
      organizationId?: string;
      environment?: 'live' | 'test';
      limit?: string;
      cursor?: string;
    };
  };
  deleteMessageSchedule: {
    query: {
      organizationId?: string;
    };
  };
  changeMessageScheduleStatus: { body: Schemas['MessageScheduleAction'] };
  getMessageTimeline: {
    query: {
      organizationId?: string;
      limit?: string;
      cursor?: string;
    };
  };
  listContacts: {
    query: {
      organizationId?: string;
      search?: string;
      from?: string;
      to?: string;
      tag?: string;
      limit?: string;
      cursor?: string;
    };
  };
  createContact: { body: Schemas['ContactInput'] };
  countContacts: {
    query: {
      organizationId?: string;
      search?: string;
      from?: string;
      to?: string;
      tag?: string;
    };
  };
  importContacts: { body: Schemas['ContactImportInput'] };
  getContactImport: {
    query: {
      organizationId?: string;
    };
  };
  downloadContactImportRejects: {
    query: {
      organizationId?: string;
    };
  };
  exportContacts: {
    query: {
      organizationId?: string;
      search?: string;
      from?: string;
      to?: string;
    };
  };
  updateContact: { body: Schemas['ContactInput'] };
  deleteContact: {
    query: {
      organizationId?: string;
    };
  };
  requestContactVerification: { body: Schemas['ContactVerificationRequest'] };
  confirmContactVerification: { body: Schemas['ContactConfirmationInput'] };
  listPhonebooks: {
    query: {
      organizationId?: string;
      limit?: string;
      cursor?: string;
    };
  };
  createPhonebook: { body: Schemas['PhonebookInput'] };
  updatePhonebook: { body: Schemas['PhonebookChange'] };
  deletePhonebook: {
    query: {
      organizationId?: string;
    };
  };
  listPhonebookMembers: {
    query: {
      organizationId?: string;
      limit?: string;
      cursor?: string;
    };
  };
  replacePhonebookMembers: { body: Schemas['PhonebookMembersInput'] };
  addPhonebookMembers: { body: Schemas['PhonebookMembersAdded'] };
  removePhonebookMember: {
    query: {
      organizationId?: string;
    };
  };
  listBulkSms: {
    query: {
      organizationId?: string;
      environment?: 'live' | 'test';
      limit?: string;
      cursor?: string;
    };
  };
  sendBulkSms: { body: Schemas['BulkSmsInput'] };
  estimateBulkSms: { body: Schemas['BulkSmsEstimateInput'] };
  getBulkSms: {
    query: {
      organizationId?: string;
    };
  };
  cancelBulkSms: {
    query: {
      organizationId?: string;
    };
  };
  startBulkSms: { body: Schemas['BulkSmsAction'] | undefined };
  pauseBulkSms: { body: Schemas['BulkSmsAction'] | undefined };
  resumeBulkSms: { body: Schemas['BulkSmsAction'] | undefined };
  changeBulkSmsRate: { body: Schemas['BulkSmsRate'] };
  listBulkSmsMessages: {
    query: {
      organizationId?: string;
      search?: string;
      status?: Schemas['MessageStatus'];
      page?: string;
      pageSize?: string;
    };
  };
  exportBulkSmsMessages: {
    query: {
      organizationId?: string;
      search?: string;
      status?: Schemas['MessageStatus'];
    };
  };
  streamBulkSms: {
    query: {
      organizationId?: string;
    };
  };
  listBulkSmsFailures: {
    query: {
      organizationId?: string;
    };
  };
  getAnalytics: {
    query: {
      organizationId?: string;
      from?: string;
      to?: string;
      environment?: 'live' | 'test';
    };
  };
  exportAnalytics: {
    query: {
      organizationId?: string;
      from?: string;
      to?: string;
      report?: 'messages' | 'daily' | 'senders' | 'campaigns';
      status?: Schemas['MessageStatus'];
      sender?: string;
      environment?: 'live' | 'test';
    };
  };
  getSecurityCodeAnalytics: {
    query: {
      organizationId?: string;
      from?: string;
      to?: string;
      environment?: 'live' | 'test';
    };
  };
  listNotifications: {
    query: {
      organizationId?: string;
      limit?: string;
      cursor?: string;
      unread?: 'true' | 'false';
    };
  };
  readNotification: {
    query: {
      organizationId?: string;
    };
  };
  readAllNotifications: { body: Schemas['ReadAllNotificationsInput'] };
  streamNotifications: {
    query: {
      organizationId?: string;
    };
  };
  listApiKeys: {
    query: {
      organizationId: string;
      limit?: string;
      cursor?: string;
    };
  };
  createApiKey: { body: Schemas['ApiKeyInput'] };
  updateApiKey: { body: Schemas['ApiKeyChange'] };
  revokeApiKey: {
    query: {
      organizationId: string;
    };
  };
  listAuditEvents: {
    query: {
      organizationId?: string;
      limit?: string;
      cursor?: string;
    };
  };
  listSecurityEvents: {
    query: {
      limit?: string;
      cursor?: string;
    };
  };
  listSecurityEventsOfUser: {
    query: {
      limit?: string;
      cursor?: string;
    };
  };
  listAllAuditEvents: {
    query: {
      organizationId?: string;
      action?: Schemas['AuditAction'];
      actorId?: string;
      limit?: string;
      cursor?: string;
    };
  };
  listAllOrganizations: {
    query: {
      search?: string;
      limit?: string;
      cursor?: string;
    };
  };
  listFailedMessages: {
    query: {
      organizationId?: string;
      limit?: string;
      cursor?: string;
    };
  };
  redriveMessages: { body: Schemas['MessageRedriveInput'] };
  redriveWebhookDeliveries: { body: Schemas['DeliveryRedriveInput'] };
  listRedrives: {
    query: {
      limit?: string;
      cursor?: string;
    };
  };
  changePlatformSendingControls: { body: Schemas['SendingControlsInput'] };
  changeSendingControls: { body: Schemas['SendingControlsInput'] };
  changeSecurityCodeWatch: { body: Schemas['SecurityCodeWatchInput'] };
  listSecurityCodeAlarms: {
    query: {
      organizationId?: string;
      open?: 'true' | 'false';
      limit?: string;
      cursor?: string;
    };
  };
  listContentRules: {
    query: {
      organizationId?: string;
      limit?: string;
      cursor?: string;
    };
  };
  createContentRule: { body: Schemas['ContentRuleInput'] };
  updateContentRule: { body: Schemas['ContentRuleChange'] };
  listInvitations: {
    query: {
      limit?: string;
      cursor?: string;
    };
  };
  getOrganizationLimits: {
    query: {
      organizationId?: string;
    };
  };
  listWebhookDeliveries: {
    query: {
      organizationId?: string;
      environment?: 'live' | 'test';
      status?: 'pending' | 'delivered' | 'retrying' | 'dead';
      messageId?: string;
      limit?: string;
      cursor?: string;
    };
  };
  getWebhookDelivery: {
    query: {
      organizationId?: string;
    };
  };
  redriveWebhookDelivery: { body: Schemas['RedriveInput'] | undefined };
  listAllWebhookDeliveries: {
    query: {
      organizationId?: string;
      status?: 'pending' | 'delivered' | 'retrying' | 'dead';
      limit?: string;
      cursor?: string;
    };
  };
  listTemplates: {
    query: {
      organizationId?: string;
      search?: string;
      limit?: string;
      cursor?: string;
    };
  };
  createTemplate: { body: Schemas['TemplateInput'] };
  updateTemplate: { body: Schemas['TemplateInput'] };
  deleteTemplate: {
    query: {
      organizationId?: string;
    };
  };
  listCampaigns: {
    query: {
      organizationId?: string;
      search?: string;
      status?: Schemas['CampaignStatus'];
      page?: string;
      pageSize?: string;
    };
  };
  createCampaign: { body: Schemas['CampaignInput'] };
  updateCampaign: { body: Schemas['CampaignInput'] };
  deleteCampaign: {
    query: {
      organizationId?: string;
    };
  };
  listSenderIds: {
    query: {
      organizationId?: string;
      status?: Schemas['SenderIdStatus'];
      limit?: string;
      cursor?: string;
    };
  };
  requestSenderId: { body: Schemas['SenderIdInput'] };
  resubmitSenderId: { body: Schemas['SenderIdInput'] };
  deleteSenderId: {
    query: {
      organizationId?: string;
    };
  };
  listAllSenderIds: {
    query: {
      status?: Schemas['SenderIdStatus'];
      search?: string;
      limit?: string;
      cursor?: string;
    };
  };
  reviewSenderId: { body: Schemas['SenderIdReview'] };
  listSuppressions: {
    query: {
      organizationId?: string;
      search?: string;
      limit?: string;
      cursor?: string;
    };
  };
  suppressNumber: { body: Schemas['SuppressionInput'] };
  unsuppressNumber: {
    query: {
      organizationId?: string;
    };
  };
  getRetention: {
    query: {
      organizationId?: string;
    };
  };
  setRetention: { body: Schemas['RetentionInput'] };
  listErasures: {
    query: {
      organizationId?: string;
      limit?: string;
      cursor?: string;
    };
  };
  requestErasure: { body: Schemas['ErasureInput'] };
  getErasure: {
    query: {
      organizationId?: string;
    };
  };
  exportPerson: {
    query: {
      phoneNumber: string;
      organizationId?: string;
    };
  };
  getConsent: {
    query: {
      phoneNumber: string;
      organizationId?: string;
    };
  };
  listPlatformErasures: {
    query: {
      limit?: string;
      cursor?: string;
    };
  };
  requestPlatformErasure: { body: Schemas['PlatformErasureInput'] };
  exportUnroutedPerson: {
    query: {
      phoneNumber: string;
    };
  };
  listInboundKeywords: {
    query: {
      organizationId?: string;
      limit?: string;
      cursor?: string;
    };
  };
  createInboundKeyword: { body: Schemas['InboundKeywordInput'] };
  testInboundKeywords: { body: Schemas['InboundKeywordTest'] };
  updateInboundKeyword: { body: Schemas['InboundKeywordChange'] };
  deleteInboundKeyword: {
    query: {
      organizationId?: string;
    };
  };
  listInboundMessages: {
    query: {
      organizationId?: string;
      status?: 'received' | 'processing' | 'processed' | 'failed' | 'unmatched';
      limit?: string;
      cursor?: string;
    };
  };
  listInboundConversations: {
    query: {
      organizationId?: string;
      limit?: string;
      cursor?: string;
    };
  };
  listInboundThread: {
    query: {
      organizationId?: string;
      limit?: string;
      cursor?: string;
    };
  };
  redriveInboundMessage: { body: Schemas['RedriveInput'] | undefined };
  listUnroutedMessages: {
    query: {
      status?: 'received' | 'processing' | 'processed' | 'failed' | 'unmatched';
      limit?: string;
      cursor?: string;
    };
  };
  receiveInboundMessage: {
    query: {
      token: string;
      from: string;
      to: string;
      text: string;
      smscId?: string;
      providerMessageId?: string;
      timestamp?: string;
    };
  };
  receiveDeliveryReport: {
    query: {
      messageId: string;
      token: string;
      status: string;
      smscId?: string;
      providerMessageId?: string;
      to?: string;
    };
  };
  signUp: { body: Schemas['SignUpInput'] };
  signIn: { body: Schemas['SignInInput'] };
  signInSocial: { body: Schemas['SocialSignInInput'] };
  finishSocialSignIn: {
    query: {
      code?: string;
      state?: string;
      error?: string;
      error_description?: string;
      iss?: string;
    };
  };
  getSession: {
    query: {
      disableRefresh?: 'true' | 'false';
      disableCookieCache?: 'true' | 'false';
    };
  };
  revokeSession: { body: Schemas['RevokeSessionInput'] };
  sendVerificationEmail: { body: Schemas['EmailInput'] };
  openEmailVerification: {
    query: {
      token: string;
      callbackURL?: string;
    };
  };
  verifyEmail: { body: Schemas['VerifyEmailInput'] };
  requestPasswordReset: { body: Schemas['PasswordResetRequest'] };
  openPasswordReset: {
    query: {
      callbackURL: string;
    };
  };
  openPasswordPage: {
    query: {
      token?: string;
      error?: string;
    };
  };
  resetPassword: { body: Schemas['PasswordResetInput'] };
  changePassword: { body: Schemas['ChangePasswordInput'] };
  addPasskey: { body: Schemas['AddPasskeyInput'] };
  removePasskey: { body: Schemas['RemovePasskeyInput'] };
  signInWithPasskey: { body: Schemas['PasskeySignInInput'] };
  enableTwoFactor: { body: Schemas['EnableTwoFactorInput'] };
  confirmTwoFactor: { body: Schemas['ConfirmTwoFactorInput'] };
  disableTwoFactor: { body: Schemas['TwoFactorProof'] };
  renewRecoveryCodes: { body: Schemas['TwoFactorProof'] };
  updateUser: { body: Schemas['UpdateUserInput'] };
  linkSocial: { body: Schemas['LinkSocialInput'] };
  unlinkAccount: { body: Schemas['UnlinkAccountInput'] };
  createOrganization: { body: Schemas['OrganizationInput'] };
  updateOrganization: { body: Schemas['OrganizationUpdate'] };
  setActiveOrganization: { body: Schemas['ActiveOrganizationInput'] };
  checkOrganizationSlug: { body: Schemas['SlugInput'] };
  getFullOrganization: {
    query: {
      organizationId?: string;
    };
  };
  listMembers: {
    query: {
      organizationId?: string;
      limit?: string;
      offset?: string;
    };
  };
  getActiveMemberRole: {
    query: {
      organizationId?: string;
      userId?: string;
    };
  };
  updateMemberRole: { body: Schemas['MemberRoleInput'] };
  removeMember: { body: Schemas['RemoveMemberInput'] };
  leaveOrganization: { body: Schemas['LeaveInput'] };
  inviteMember: { body: Schemas['InvitationInput'] };
  acceptInvitation: { body: Schemas['InvitationIdInput'] };
  rejectInvitation: { body: Schemas['InvitationIdInput'] };
  cancelInvitation: { body: Schemas['InvitationIdInput'] };
  getInvitation: {
    query: {
      id: string;
    };
  };
  listOrganizationInvitations: {
    query: {
      organizationId?: string;
    };
  };
  listUsers: {
    query: {
      searchValue?: string;
      searchField?: 'email' | 'name';
      searchOperator?: 'contains' | 'starts_with' | 'ends_with';
      limit?: string;
      offset?: string;
    };
  };
  getUser: {
    query: {
      id: string;
    };
  };
  createUser: { body: Schemas['CreateUserInput'] };
  setUserRole: { body: Schemas['SetRoleInput'] };
  banUser: { body: Schemas['BanInput'] };
  unbanUser: { body: Schemas['UserIdInput'] };
  impersonateUser: { body: Schemas['UserIdInput'] };
  listUserSessions: { body: Schemas['UserIdInput'] };
  revokeUserSession: { body: Schemas['SessionTokenInput'] };
  resetTwoFactor: { body: Schemas['UserIdInput'] };
  revokeUserSessions: { body: Schemas['UserIdInput'] };
}

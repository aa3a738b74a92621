// Written by npm run generate from openapi.yaml; changes made here are lost.
import type { Download } from '../download.ts';
import { path } from '../encode-request.ts';
import type { EventStream } from '../event-stream.ts';
import { byCursor, byOffset, byPage, type List } from '../list.ts';
import { Resource } from '../resource.ts';
import type { KeyedRequestOptions, RequestOptions, Transport } from '../transport.ts';
import type {
  AcceptInvitationResponse,
  ActiveOrganizationInput,
  AddPasskeyInput,
  AdministeredOrganization,
  Analytics,
  ApiKey,
  ApiKeyChange,
  ApiKeyInput,
  AuditEvent,
  BanInput,
  BanUserResponse,
  BulkSms,
  BulkSmsAction,
  BulkSmsEstimate,
  BulkSmsEstimateInput,
  BulkSmsFailures,
  BulkSmsInput,
  BulkSmsMessage,
  BulkSmsRate,
  Campaign,
  CampaignInput,
  CancelBulkSmsQuery,
  ChangePasswordInput,
  ChangePasswordResponse,
  CheckOrganizationSlugResponse,
  ConfirmTwoFactorInput,
  Consent,
  Contact,
  ContactConfirmation,
  ContactConfirmationInput,
  ContactCount,
  ContactImport,
  ContactImportInput,
  ContactInput,
  ContactVerification,
  ContactVerificationRequest,
  ContentRule,
  ContentRuleChange,
  ContentRuleInput,
  CountContactsQuery,
  CreateUserInput,
  CreateUserResponse,
  DeleteCampaignQuery,
  DeleteContactQuery,
  DeleteInboundKeywordQuery,
  DeleteMessageScheduleQuery,
  DeletePhonebookQuery,
  DeleteSenderIdQuery,
  DeleteTemplateQuery,
  DeliveryRedriveInput,
  DownloadContactImportRejectsQuery,
  EmailInput,
  EnableTwoFactorInput,
  Erasure,
  ErasureInput,
  ExportAnalyticsQuery,
  ExportBulkSmsMessagesQuery,
  ExportContactsQuery,
  ExportPersonQuery,
  ExportUnroutedPersonQuery,
  FailedMessage,
  GetActiveMemberRoleQuery,
  GetActiveMemberRoleResponse,
  GetAnalyticsQuery,
  GetBulkSmsQuery,
  GetConsentQuery,
  GetContactImportQuery,
  GetErasureQuery,
  GetFullOrganizationQuery,
  GetHealthResponse,
  GetInvitationQuery,
  GetLivenessResponse,
  GetMessageQuery,
  GetMessageTimelineQuery,
  GetOrganizationLimitsQuery,
  GetRetentionQuery,
  GetSecurityCodeAnalyticsQuery,
  GetSessionQuery,
  GetSessionResponse,
  GetUserQuery,
  GetWebhookDeliveryQuery,
  ImpersonateUserResponse,
  InboundKeyword,
  InboundKeywordChange,
  InboundKeywordInput,
  InboundKeywordMatch,
  InboundKeywordTest,
  InboundMessage,
  InboundThreadEntry,
  Invitation,
  InvitationIdInput,
  InvitationInput,
  InvitationWithNames,
  LeaveInput,
  LinkSocialInput,
  LinkSocialResponse,
  ListAccountsResponse,
  ListAllAuditEventsQuery,
  ListAllAuditEventsResponse,
  ListAllOrganizationsQuery,
  ListAllOrganizationsResponse,
  ListAllSenderIdsQuery,
  ListAllSenderIdsResponse,
  ListAllWebhookDeliveriesQuery,
  ListAllWebhookDeliveriesResponse,
  ListApiKeysQuery,
  ListApiKeysResponse,
  ListAuditEventsQuery,
  ListAuditEventsResponse,
  ListBulkSmsFailuresQuery,
  ListBulkSmsMessagesQuery,
  ListBulkSmsMessagesResponse,
  ListBulkSmsQuery,
  ListBulkSmsResponse,
  ListCampaignsQuery,
  ListCampaignsResponse,
  ListContactsQuery,
  ListContactsResponse,
  ListContentRulesQuery,
  ListContentRulesResponse,
  ListErasuresQuery,
  ListErasuresResponse,
  ListFailedMessagesQuery,
  ListFailedMessagesResponse,
  ListInboundConversationsQuery,
  ListInboundConversationsResponse,
  ListInboundKeywordsQuery,
  ListInboundKeywordsResponse,
  ListInboundMessagesQuery,
  ListInboundMessagesResponse,
  ListInboundThreadQuery,
  ListInboundThreadResponse,
  ListInvitationsQuery,
  ListInvitationsResponse,
  ListMembersQuery,
  ListMembersResponse,
  ListMessageSchedulesQuery,
  ListMessageSchedulesResponse,
  ListMessagesQuery,
  ListMessagesResponse,
  ListNotificationsQuery,
  ListNotificationsResponse,
  ListOrganizationInvitationsQuery,
  ListOrganizationInvitationsResponse,
  ListOrganizationsResponse,
  ListPasskeysResponse,
  ListPhonebookMembersQuery,
  ListPhonebookMembersResponse,
  ListPhonebooksQuery,
  ListPhonebooksResponse,
  ListPlatformErasuresQuery,
  ListPlatformErasuresResponse,
  ListRedrivesQuery,
  ListRedrivesResponse,
  ListSecurityCodeAlarmsQuery,
  ListSecurityCodeAlarmsResponse,
  ListSecurityEventsOfUserQuery,
  ListSecurityEventsQuery,
  ListSenderIdsQuery,
  ListSenderIdsResponse,
  ListSessionsResponse,
  ListSuppressionsQuery,
  ListSuppressionsResponse,
  ListTemplatesQuery,
  ListTemplatesResponse,
  ListUnroutedMessagesQuery,
  ListUnroutedMessagesResponse,
  ListUserInvitationsResponse,
  ListUserSessionsResponse,
  ListUsersQuery,
  ListUsersResponse,
  ListWebhookDeliveriesQuery,
  ListWebhookDeliveriesResponse,
  Member,
  MemberRoleInput,
  MemberWithUser,
  Message,
  MessageEstimate,
  MessageInput,
  MessageRedriveInput,
  MessageSchedule,
  MessageScheduleAction,
  MessageScheduleInput,
  MessageTimeline,
  NewApiKey,
  Notification,
  Organization,
  OrganizationInput,
  OrganizationLimits,
  OrganizationUpdate,
  OrganizationWithMembers,
  Passkey,
  PasskeyOptions,
  PasskeySignInInput,
  PasswordResetInput,
  PasswordResetRequest,
  PersonExport,
  Phonebook,
  PhonebookChange,
  PhonebookInput,
  PhonebookMembersAdded,
  PhonebookMembersInput,
  PhonebookMembersReplaced,
  PlatformErasure,
  PlatformErasureInput,
  PlatformPersonExport,
  ReadAllNotificationsInput,
  ReadAllNotificationsResponse,
  ReadNotificationQuery,
  Readiness,
  RecoveryCodes,
  Redrive,
  RedriveInput,
  RejectInvitationResponse,
  RemoveMemberInput,
  RemoveMemberResponse,
  RemovePasskeyInput,
  RemovePasskeyResponse,
  RemovePhonebookMemberQuery,
  RequestPasswordResetResponse,
  ResetPasswordResponse,
  ResetTwoFactorResponse,
  Retention,
  RetentionInput,
  ReviewedSenderId,
  RevokeApiKeyQuery,
  RevokeOtherSessionsResponse,
  RevokeSessionInput,
  RevokeSessionResponse,
  RevokeSessionsResponse,
  RevokeUserSessionResponse,
  RevokeUserSessionsResponse,
  SecurityCode,
  SecurityCodeAlarm,
  SecurityCodeAnalytics,
  SecurityCodeInput,
  SecurityCodeWatch,
  SecurityCodeWatchInput,
  SecurityEvent,
  SecurityEventPage,
  SendVerificationEmailResponse,
  SenderId,
  SenderIdInput,
  SenderIdReview,
  SendingControls,
  SendingControlsInput,
  ServiceSettings,
  SessionAndUser,
  SessionTokenInput,
  SetActiveOrganizationResponse,
  SetRoleInput,
  SetUserRoleResponse,
  SignInInput,
  SignInOptions,
  SignInResponse,
  SignInSocialResponse,
  SignOutResponse,
  SignUpInput,
  SignUpResponse,
  SlugInput,
  SocialSignInInput,
  StopImpersonatingResponse,
  StreamBulkSmsQuery,
  StreamNotificationsQuery,
  Suppression,
  SuppressionInput,
  Template,
  TemplateInput,
  TwoFactorDisabled,
  TwoFactorProof,
  TwoFactorSecret,
  TwoFactorState,
  UnbanUserResponse,
  UnlinkAccountInput,
  UnlinkAccountResponse,
  UnsuppressNumberQuery,
  UpdateUserInput,
  UpdateUserResponse,
  User,
  UserIdInput,
  VerificationInput,
  VerificationResult,
  VerifyEmailInput,
  VerifyEmailResponse,
  WebhookDelivery,
  WebhookDeliveryDetails,
} from './types.ts';

export class HealthResource extends Resource {
  /**
   * Checks that the API process responds.
   *
   * `GET /health`. Callers: anyone.
   */
  async get(options: RequestOptions = {}): Promise<GetHealthResponse> {
    return this.transport.json({ method: 'GET', path: '/health' }, options);
  }

  /**
   * Checks that the API process responds.
   *
   * `GET /health/live`. Callers: anyone.
   */
  async live(options: RequestOptions = {}): Promise<GetLivenessResponse> {
    return this.transport.json({ method: 'GET', path: '/health/live' }, options);
  }

  /**
   * Checks that the API can accept requests.
   *
   * `GET /health/ready`. Callers: anyone.
   */
  async ready(options: RequestOptions = {}): Promise<Readiness> {
    return this.transport.json({ method: 'GET', path: '/health/ready', answers: [503] }, options);
  }
}

export class MessagesResource extends Resource {
  /**
   * Sends one message.
   *
   * `POST /api/v1/messages`. Callers: a session, or a key with the permission messages:send.
   * Safe to repeat: it has an Idempotency-Key.
   */
  async send(body: MessageInput, options: KeyedRequestOptions = {}): Promise<Message> {
    return this.transport.json({ method: 'POST', path: '/api/v1/messages', body, takesKey: true }, options);
  }

  /**
   * Lists messages, newest first.
   *
   * `GET /api/v1/messages`. Callers: a session, or a key with the permission messages:read.
   */
  list(query: ListMessagesQuery = {}, options: RequestOptions = {}): List<Message, ListMessagesResponse> {
    return this.transport.list(
      byCursor<ListMessagesResponse>(),
      { method: 'GET', path: '/api/v1/messages', query },
      options,
    );
  }

  /**
   * Schedules a message, once or recurring.
   *
   * `POST /api/v1/messages/schedule`. Callers: a session, or a key with the permission schedules:write.
   */
  async schedule(body: MessageScheduleInput, options: RequestOptions = {}): Promise<MessageSchedule> {
    return this.transport.json({ method: 'POST', path: '/api/v1/messages/schedule', body }, options);
  }

  /**
   * Estimates a message without storing it.
   *
   * `POST /api/v1/messages/estimate`. Callers: a session, or a key with the permission messages:send.
   */
  async estimate(body: MessageInput, options: RequestOptions = {}): Promise<MessageEstimate> {
    return this.transport.json(
      { method: 'POST', path: '/api/v1/messages/estimate', body, isHarmless: true },
      options,
    );
  }

  /**
   * Returns one message.
   *
   * `GET /api/v1/messages/{messageId}`. Callers: a session, or a key with the permission messages:read.
   */
  async get(messageId: string, query: GetMessageQuery = {}, options: RequestOptions = {}): Promise<Message> {
    return this.transport.json({ method: 'GET', path: path`/api/v1/messages/${messageId}`, query }, options);
  }

  /**
   * Returns the history of a message, oldest first.
   *
   * `GET /api/v1/messages/{messageId}/timeline`. Callers: a session, or a key with the permission messages:read.
   */
  timeline(
    messageId: string,
    query: GetMessageTimelineQuery = {},
    options: RequestOptions = {},
  ): List<MessageTimeline['data'][number], MessageTimeline> {
    return this.transport.list(
      byCursor<MessageTimeline>(),
      { method: 'GET', path: path`/api/v1/messages/${messageId}/timeline`, query },
      options,
    );
  }
}

export class SecurityCodesResource extends Resource {
  /**
   * Generates a one-time code and sends it by SMS.
   *
   * `POST /api/v1/security-codes/send`. Callers: a session, or a key with the permission security-codes:send.
   * Safe to repeat: it has an Idempotency-Key.
   */
  async send(body: SecurityCodeInput, options: KeyedRequestOptions = {}): Promise<SecurityCode> {
    return this.transport.json(
      { method: 'POST', path: '/api/v1/security-codes/send', body, takesKey: true },
      options,
    );
  }

  /**
   * Verifies a code once.
   *
   * `POST /api/v1/security-codes/verify`. Callers: a session, or a key with the permission security-codes:verify.
   */
  async verify(body: VerificationInput, options: RequestOptions = {}): Promise<VerificationResult> {
    return this.transport.json({ method: 'POST', path: '/api/v1/security-codes/verify', body }, options);
  }
}

export class MessageSchedulesResource extends Resource {
  /**
   * Lists schedules, newest first.
   *
   * `GET /api/v1/message-schedules`. Callers: a session, or a key with the permission schedules:read.
   */
  list(
    query: ListMessageSchedulesQuery = {},
    options: RequestOptions = {},
  ): List<MessageSchedule, ListMessageSchedulesResponse> {
    return this.transport.list(
      byCursor<ListMessageSchedulesResponse>(),
      { method: 'GET', path: '/api/v1/message-schedules', query },
      options,
    );
  }

  /**
   * Deletes a schedule and the record of its runs permanently.
   *
   * `DELETE /api/v1/message-schedules/{scheduleId}`. Callers: a session, or a key with the permission schedules:write.
   */
  async delete(
    scheduleId: string,
    query: DeleteMessageScheduleQuery = {},
    options: RequestOptions = {},
  ): Promise<void> {
    return this.transport.empty(
      { method: 'DELETE', path: path`/api/v1/message-schedules/${scheduleId}`, query },
      options,
    );
  }

  /**
   * Pauses, resumes or cancels a schedule.
   *
   * `PATCH /api/v1/message-schedules/{scheduleId}/status`. Callers: a session, or a key with the permission schedules:write.
   */
  async changeStatus(
    scheduleId: string,
    body: MessageScheduleAction,
    options: RequestOptions = {},
  ): Promise<MessageSchedule> {
    return this.transport.json(
      { method: 'PATCH', path: path`/api/v1/message-schedules/${scheduleId}/status`, body },
      options,
    );
  }
}

export class ContactsResource extends Resource {
  /**
   * Lists contacts, newest first.
   *
   * `GET /api/v1/contacts/`. Callers: a session, or a key with the permission contacts:read.
   */
  list(query: ListContactsQuery = {}, options: RequestOptions = {}): List<Contact, ListContactsResponse> {
    return this.transport.list(
      byCursor<ListContactsResponse>(),
      { method: 'GET', path: '/api/v1/contacts/', query },
      options,
    );
  }

  /**
   * Creates a contact.
   *
   * `POST /api/v1/contacts/`. Callers: a session, or a key with the permission contacts:write.
   */
  async create(body: ContactInput, options: RequestOptions = {}): Promise<Contact> {
    return this.transport.json({ method: 'POST', path: '/api/v1/contacts/', body }, options);
  }

  /**
   * Counts the contacts that a list with the same filters has.
   *
   * `GET /api/v1/contacts/count`. Callers: a session, or a key with the permission contacts:read.
   */
  async count(query: CountContactsQuery = {}, options: RequestOptions = {}): Promise<ContactCount> {
    return this.transport.json({ method: 'GET', path: '/api/v1/contacts/count', query }, options);
  }

  /**
   * Imports contacts from a CSV file.
   *
   * `POST /api/v1/contacts/import`. Callers: a session, or a key with the permission contacts:import.
   */
  async import(body: ContactImportInput, options: RequestOptions = {}): Promise<ContactImport> {
    return this.transport.json(
      { method: 'POST', path: '/api/v1/contacts/import', body, isUpload: true },
      options,
    );
  }

  /**
   * Returns the progress of an import.
   *
   * `GET /api/v1/contacts/imports/{importId}`. Callers: a session, or a key with the permission contacts:import.
   */
  async getImport(
    importId: string,
    query: GetContactImportQuery = {},
    options: RequestOptions = {},
  ): Promise<ContactImport> {
    return this.transport.json(
      { method: 'GET', path: path`/api/v1/contacts/imports/${importId}`, query },
      options,
    );
  }

  /**
   * Downloads the rejected rows of an import.
   *
   * `GET /api/v1/contacts/imports/{importId}/rejects`. Callers: a session, or a key with the permission contacts:import.
   */
  async downloadImportRejects(
    importId: string,
    query: DownloadContactImportRejectsQuery = {},
    options: RequestOptions = {},
  ): Promise<Download> {
    return this.transport.download(
      { method: 'GET', path: path`/api/v1/contacts/imports/${importId}/rejects`, query },
      options,
    );
  }

  /**
   * Downloads contacts as a CSV file, oldest first.
   *
   * `GET /api/v1/contacts/export`. Callers: a session, or a key with the permission contacts:export.
   */
  async export(query: ExportContactsQuery = {}, options: RequestOptions = {}): Promise<Download> {
    return this.transport.download({ method: 'GET', path: '/api/v1/contacts/export', query }, options);
  }

  /**
   * Changes a contact.
   *
   * `PATCH /api/v1/contacts/{contactId}`. Callers: a session, or a key with the permission contacts:write.
   */
  async update(contactId: string, body: ContactInput, options: RequestOptions = {}): Promise<Contact> {
    return this.transport.json({ method: 'PATCH', path: path`/api/v1/contacts/${contactId}`, body }, options);
  }

  /**
   * Deletes a contact and removes it from all phonebooks.
   *
   * `DELETE /api/v1/contacts/{contactId}`. Callers: a session, or a key with the permission contacts:write.
   */
  async delete(
    contactId: string,
    query: DeleteContactQuery = {},
    options: RequestOptions = {},
  ): Promise<void> {
    return this.transport.empty(
      { method: 'DELETE', path: path`/api/v1/contacts/${contactId}`, query },
      options,
    );
  }

  /**
   * Sends a six-digit code to a contact's number.
   *
   * `POST /api/v1/contacts/{contactId}/verification/request`. Callers: a session, or a key with the permission contacts:verify.
   */
  async requestVerification(
    contactId: string,
    body: ContactVerificationRequest,
    options: RequestOptions = {},
  ): Promise<ContactVerification> {
    return this.transport.json(
      { method: 'POST', path: path`/api/v1/contacts/${contactId}/verification/request`, body },
      options,
    );
  }

  /**
   * Checks the code that was sent to a contact's number.
   *
   * `POST /api/v1/contacts/{contactId}/verification/confirm`. Callers: a session, or a key with the permission contacts:verify.
   */
  async confirmVerification(
    contactId: string,
    body: ContactConfirmationInput,
    options: RequestOptions = {},
  ): Promise<ContactConfirmation> {
    return this.transport.json(
      { method: 'POST', path: path`/api/v1/contacts/${contactId}/verification/confirm`, body },
      options,
    );
  }
}

export class ContactListsResource extends Resource {
  /**
   * Lists phonebooks, newest first.
   *
   * `GET /api/v1/contact-lists/`. Callers: a session, or a key with the permission phonebooks:read.
   */
  list(
    query: ListPhonebooksQuery = {},
    options: RequestOptions = {},
  ): List<Phonebook, ListPhonebooksResponse> {
    return this.transport.list(
      byCursor<ListPhonebooksResponse>(),
      { method: 'GET', path: '/api/v1/contact-lists/', query },
      options,
    );
  }

  /**
   * Creates a phonebook.
   *
   * `POST /api/v1/contact-lists/`. Callers: a session, or a key with the permission phonebooks:write.
   */
  async create(body: PhonebookInput, options: RequestOptions = {}): Promise<Phonebook> {
    return this.transport.json({ method: 'POST', path: '/api/v1/contact-lists/', body }, options);
  }

  /**
   * Changes a phonebook; `name` is required, a description that is left out stays.
   *
   * `PATCH /api/v1/contact-lists/{listId}`. Callers: a session, or a key with the permission phonebooks:write.
   */
  async update(listId: string, body: PhonebookChange, options: RequestOptions = {}): Promise<Phonebook> {
    return this.transport.json(
      { method: 'PATCH', path: path`/api/v1/contact-lists/${listId}`, body },
      options,
    );
  }

  /**
   * Deletes a phonebook; its contacts stay.
   *
   * `DELETE /api/v1/contact-lists/{listId}`. Callers: a session, or a key with the permission phonebooks:write.
   */
  async delete(
    listId: string,
    query: DeletePhonebookQuery = {},
    options: RequestOptions = {},
  ): Promise<void> {
    return this.transport.empty(
      { method: 'DELETE', path: path`/api/v1/contact-lists/${listId}`, query },
      options,
    );
  }

  /**
   * Lists the contacts of a phonebook, newest contact first.
   *
   * `GET /api/v1/contact-lists/{listId}/members`. Callers: a session, or a key with the permission phonebooks:read.
   */
  listMembers(
    listId: string,
    query: ListPhonebookMembersQuery = {},
    options: RequestOptions = {},
  ): List<Contact, ListPhonebookMembersResponse> {
    return this.transport.list(
      byCursor<ListPhonebookMembersResponse>(),
      { method: 'GET', path: path`/api/v1/contact-lists/${listId}/members`, query },
      options,
    );
  }

  /**
   * Sets the members of a phonebook to exactly these contacts.
   *
   * `PUT /api/v1/contact-lists/{listId}/members`. Callers: a session, or a key with the permission phonebooks:write.
   */
  async replaceMembers(
    listId: string,
    body: PhonebookMembersInput,
    options: RequestOptions = {},
  ): Promise<PhonebookMembersReplaced> {
    return this.transport.json(
      { method: 'PUT', path: path`/api/v1/contact-lists/${listId}/members`, body },
      options,
    );
  }

  /**
   * Adds contacts to a phonebook. Its other members stay.
   *
   * `POST /api/v1/contact-lists/{listId}/members`. Callers: a session, or a key with the permission phonebooks:write.
   */
  async addMembers(
    listId: string,
    body: PhonebookMembersAdded,
    options: RequestOptions = {},
  ): Promise<PhonebookMembersReplaced> {
    return this.transport.json(
      { method: 'POST', path: path`/api/v1/contact-lists/${listId}/members`, body },
      options,
    );
  }

  /**
   * Removes a contact from a phonebook; the contact itself stays.
   *
   * `DELETE /api/v1/contact-lists/{listId}/members/{contactId}`. Callers: a session, or a key with the permission phonebooks:write.
   */
  async removeMember(
    listId: string,
    contactId: string,
    query: RemovePhonebookMemberQuery = {},
    options: RequestOptions = {},
  ): Promise<void> {
    return this.transport.empty(
      { method: 'DELETE', path: path`/api/v1/contact-lists/${listId}/members/${contactId}`, query },
      options,
    );
  }
}

export class BulkSmsResource extends Resource {
  /**
   * Lists batches, newest first.
   *
   * `GET /api/v1/bulk-sms/`. Callers: a session, or a key with the permission bulk:read.
   */
  list(query: ListBulkSmsQuery = {}, options: RequestOptions = {}): List<BulkSms, ListBulkSmsResponse> {
    return this.transport.list(
      byCursor<ListBulkSmsResponse>(),
      { method: 'GET', path: '/api/v1/bulk-sms/', query },
      options,
    );
  }

  /**
   * Sends a text to every contact of a phonebook, now or at a given time.
   *
   * `POST /api/v1/bulk-sms/`. Callers: a session, or a key with the permission bulk:write.
   */
  async create(body: BulkSmsInput, options: RequestOptions = {}): Promise<BulkSms> {
    return this.transport.json({ method: 'POST', path: '/api/v1/bulk-sms/', body }, options);
  }

  /**
   * Estimates the result that a batch would have if it started now; stores and sends nothing.
   *
   * `POST /api/v1/bulk-sms/estimate`. Callers: a session, or a key with the permission bulk:write.
   */
  async estimate(body: BulkSmsEstimateInput, options: RequestOptions = {}): Promise<BulkSmsEstimate> {
    return this.transport.json(
      { method: 'POST', path: '/api/v1/bulk-sms/estimate', body, isHarmless: true },
      options,
    );
  }

  /**
   * Returns a batch and its progress.
   *
   * `GET /api/v1/bulk-sms/{bulkSmsId}`. Callers: a session, or a key with the permission bulk:read.
   */
  async get(bulkSmsId: string, query: GetBulkSmsQuery = {}, options: RequestOptions = {}): Promise<BulkSms> {
    return this.transport.json({ method: 'GET', path: path`/api/v1/bulk-sms/${bulkSmsId}`, query }, options);
  }

  /**
   * Cancels a batch.
   *
   * `DELETE /api/v1/bulk-sms/{bulkSmsId}`. Callers: a session, or a key with the permission bulk:write.
   */
  async cancel(
    bulkSmsId: string,
    query: CancelBulkSmsQuery = {},
    options: RequestOptions = {},
  ): Promise<void> {
    return this.transport.empty(
      { method: 'DELETE', path: path`/api/v1/bulk-sms/${bulkSmsId}`, query },
      options,
    );
  }

  /**
   * Starts a scheduled batch now.
   *
   * `PATCH /api/v1/bulk-sms/{bulkSmsId}/start`. Callers: a session, or a key with the permission bulk:write.
   */
  async start(bulkSmsId: string, body?: BulkSmsAction, options: RequestOptions = {}): Promise<BulkSms> {
    return this.transport.json(
      { method: 'PATCH', path: path`/api/v1/bulk-sms/${bulkSmsId}/start`, body },
      options,
    );
  }

  /**
   * Pauses a batch that is being sent.
   *
   * `PATCH /api/v1/bulk-sms/{bulkSmsId}/pause`. Callers: a session, or a key with the permission bulk:write.
   */
  async pause(bulkSmsId: string, body?: BulkSmsAction, options: RequestOptions = {}): Promise<BulkSms> {
    return this.transport.json(
      { method: 'PATCH', path: path`/api/v1/bulk-sms/${bulkSmsId}/pause`, body },
      options,
    );
  }

  /**
   * Resumes a paused batch from its next recipient.
   *
   * `PATCH /api/v1/bulk-sms/{bulkSmsId}/resume`. Callers: a session, or a key with the permission bulk:write.
   */
  async resume(bulkSmsId: string, body?: BulkSmsAction, options: RequestOptions = {}): Promise<BulkSms> {
    return this.transport.json(
      { method: 'PATCH', path: path`/api/v1/bulk-sms/${bulkSmsId}/resume`, body },
      options,
    );
  }

  /**
   * Changes the rate of a batch, from its next messages on.
   *
   * `PATCH /api/v1/bulk-sms/{bulkSmsId}/rate`. Callers: a session, or a key with the permission bulk:write.
   */
  async changeRate(bulkSmsId: string, body: BulkSmsRate, options: RequestOptions = {}): Promise<BulkSms> {
    return this.transport.json(
      { method: 'PATCH', path: path`/api/v1/bulk-sms/${bulkSmsId}/rate`, body },
      options,
    );
  }

  /**
   * Lists the recipients of a batch and their messages, in the order of sending.
   *
   * `GET /api/v1/bulk-sms/{bulkSmsId}/messages`. Callers: a session, or a key with the permission bulk:read.
   */
  listMessages(
    bulkSmsId: string,
    query: ListBulkSmsMessagesQuery = {},
    options: RequestOptions = {},
  ): List<BulkSmsMessage, ListBulkSmsMessagesResponse> {
    return this.transport.list(
      byPage<ListBulkSmsMessagesResponse>(),
      { method: 'GET', path: path`/api/v1/bulk-sms/${bulkSmsId}/messages`, query },
      options,
    );
  }

  /**
   * Downloads the recipients of a batch and their messages as a CSV file.
   *
   * `GET /api/v1/bulk-sms/{bulkSmsId}/messages/export`. Callers: a session, or a key with the permission bulk:export.
   */
  async exportMessages(
    bulkSmsId: string,
    query: ExportBulkSmsMessagesQuery = {},
    options: RequestOptions = {},
  ): Promise<Download> {
    return this.transport.download(
      { method: 'GET', path: path`/api/v1/bulk-sms/${bulkSmsId}/messages/export`, query },
      options,
    );
  }

  /**
   * Streams the progress of a batch as server-sent events.
   *
   * `GET /api/v1/bulk-sms/{bulkSmsId}/events`. Callers: a session, or a key with the permission bulk:read.
   */
  stream(
    bulkSmsId: string,
    query: StreamBulkSmsQuery = {},
    options: RequestOptions = {},
  ): EventStream<BulkSms> {
    return this.transport.stream(
      { event: 'progress', isLast: ({ status }) => ['completed', 'cancelled', 'failed'].includes(status) },
      { method: 'GET', path: path`/api/v1/bulk-sms/${bulkSmsId}/events`, query },
      options,
    );
  }

  /**
   * Counts the failed recipients of a batch by error code, most frequent first.
   *
   * `GET /api/v1/bulk-sms/{bulkSmsId}/failures`. Callers: a session, or a key with the permission bulk:read.
   */
  async listFailures(
    bulkSmsId: string,
    query: ListBulkSmsFailuresQuery = {},
    options: RequestOptions = {},
  ): Promise<BulkSmsFailures> {
    return this.transport.json(
      { method: 'GET', path: path`/api/v1/bulk-sms/${bulkSmsId}/failures`, query },
      options,
    );
  }
}

export class AnalyticsResource extends Resource {
  /**
   * Counts messages by their status.
   *
   * `GET /api/v1/analytics/`. Callers: a session, or a key with the permission analytics:read.
   */
  async get(query: GetAnalyticsQuery = {}, options: RequestOptions = {}): Promise<Analytics> {
    return this.transport.json({ method: 'GET', path: '/api/v1/analytics/', query }, options);
  }

  /**
   * Downloads a report as a CSV file.
   *
   * `GET /api/v1/analytics/export`. Callers: a session, or a key with the permission analytics:export.
   */
  async export(query: ExportAnalyticsQuery = {}, options: RequestOptions = {}): Promise<Download> {
    return this.transport.download({ method: 'GET', path: '/api/v1/analytics/export', query }, options);
  }

  /**
   * Counts security codes by what became of them.
   *
   * `GET /api/v1/analytics/security-codes`. Callers: a session, or a key with the permission analytics:read.
   */
  async getSecurityCodes(
    query: GetSecurityCodeAnalyticsQuery = {},
    options: RequestOptions = {},
  ): Promise<SecurityCodeAnalytics> {
    return this.transport.json({ method: 'GET', path: '/api/v1/analytics/security-codes', query }, options);
  }
}

export class NotificationsResource extends Resource {
  /**
   * Lists the notifications of the signed-in user, newest first.
   *
   * `GET /api/v1/notifications/`. Callers: a session.
   */
  list(
    query: ListNotificationsQuery = {},
    options: RequestOptions = {},
  ): List<Notification, ListNotificationsResponse> {
    return this.transport.list(
      byCursor<ListNotificationsResponse>(),
      { method: 'GET', path: '/api/v1/notifications/', query },
      options,
    );
  }

  /**
   * Marks a notification as read. Repeating the request changes nothing.
   *
   * `PATCH /api/v1/notifications/{notificationId}/read`. Callers: a session.
   */
  async read(
    notificationId: string,
    query: ReadNotificationQuery = {},
    options: RequestOptions = {},
  ): Promise<Notification> {
    return this.transport.json(
      { method: 'PATCH', path: path`/api/v1/notifications/${notificationId}/read`, query },
      options,
    );
  }

  /**
   * Marks all notifications that the signed-in user can list for an organization as read.
   *
   * `POST /api/v1/notifications/read-all`. Callers: the session of a member.
   */
  async readAll(
    body: ReadAllNotificationsInput,
    options: RequestOptions = {},
  ): Promise<ReadAllNotificationsResponse> {
    return this.transport.json({ method: 'POST', path: '/api/v1/notifications/read-all', body }, options);
  }

  /**
   * Streams the notifications of the signed-in user as server-sent events.
   *
   * `GET /api/v1/notifications/stream`. Callers: a session.
   */
  stream(query: StreamNotificationsQuery = {}, options: RequestOptions = {}): EventStream<Notification> {
    return this.transport.stream(
      { event: 'notification' },
      { method: 'GET', path: '/api/v1/notifications/stream', query },
      options,
    );
  }
}

export class ApiKeysResource extends Resource {
  /**
   * Lists the organization's API keys, newest first, without their secrets.
   *
   * `GET /api/v1/api-keys/`. Callers: the session of an owner or admin.
   */
  list(query: ListApiKeysQuery, options: RequestOptions = {}): List<ApiKey, ListApiKeysResponse> {
    return this.transport.list(
      byCursor<ListApiKeysResponse>(),
      { method: 'GET', path: '/api/v1/api-keys/', query },
      options,
    );
  }

  /**
   * Creates an API key. The whole key is shown only in this response.
   *
   * `POST /api/v1/api-keys/`. Callers: the session of an owner or admin.
   */
  async create(body: ApiKeyInput, options: RequestOptions = {}): Promise<NewApiKey> {
    return this.transport.json({ method: 'POST', path: '/api/v1/api-keys/', body }, options);
  }

  /**
   * Changes a key's name, permissions, metadata or expiry.
   *
   * `PATCH /api/v1/api-keys/{keyId}`. Callers: the session of an owner or admin.
   */
  async update(keyId: string, body: ApiKeyChange, options: RequestOptions = {}): Promise<ApiKey> {
    return this.transport.json({ method: 'PATCH', path: path`/api/v1/api-keys/${keyId}`, body }, options);
  }

  /**
   * Revokes a key permanently. This process refuses it at once, other API processes within a second.
   *
   * `DELETE /api/v1/api-keys/{keyId}`. Callers: the session of an owner or admin.
   */
  async revoke(keyId: string, query: RevokeApiKeyQuery, options: RequestOptions = {}): Promise<void> {
    return this.transport.empty({ method: 'DELETE', path: path`/api/v1/api-keys/${keyId}`, query }, options);
  }
}

export class AuditEventsResource extends Resource {
  /**
   * Lists the changes to keys, members and roles of the organization, with their authors, newest first.
   *
   * `GET /api/v1/audit-events`. Callers: the session of an owner or admin.
   */
  list(
    query: ListAuditEventsQuery = {},
    options: RequestOptions = {},
  ): List<AuditEvent, ListAuditEventsResponse> {
    return this.transport.list(
      byCursor<ListAuditEventsResponse>(),
      { method: 'GET', path: '/api/v1/audit-events', query },
      options,
    );
  }
}

export class AuthResource extends Resource {
  /**
   * Lists what happened to the account of the signed-in user, newest first.
   *
   * `GET /api/v1/account/security-events`. Callers: a session.
   */
  listSecurityEvents(
    query: ListSecurityEventsQuery = {},
    options: RequestOptions = {},
  ): List<SecurityEvent, SecurityEventPage> {
    return this.transport.list(
      byCursor<SecurityEventPage>(),
      { method: 'GET', path: '/api/v1/account/security-events', query },
      options,
    );
  }

  /**
   * Creates an account with a password, and signs in.
   *
   * `POST /api/auth/sign-up/email`. Callers: anyone.
   */
  async signUp(body: SignUpInput, options: RequestOptions = {}): Promise<SignUpResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/sign-up/email', body }, options);
  }

  /**
   * Signs in with e-mail address and password.
   *
   * `POST /api/auth/sign-in/email`. Callers: anyone.
   */
  async signIn(body: SignInInput, options: RequestOptions = {}): Promise<SignInResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/sign-in/email', body }, options);
  }

  /**
   * Signs in with a provider.
   *
   * `POST /api/auth/sign-in/social`. Callers: anyone.
   */
  async signInSocial(body: SocialSignInInput, options: RequestOptions = {}): Promise<SignInSocialResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/sign-in/social', body }, options);
  }

  /**
   * Returns how people can sign in to this service.
   *
   * `GET /api/auth/sign-in/options`. Callers: anyone.
   */
  async getSignInOptions(options: RequestOptions = {}): Promise<SignInOptions> {
    return this.transport.json({ method: 'GET', path: '/api/auth/sign-in/options' }, options);
  }

  /**
   * Ends the session.
   *
   * `POST /api/auth/sign-out`. Callers: anyone.
   */
  async signOut(options: RequestOptions = {}): Promise<SignOutResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/sign-out' }, options);
  }

  /**
   * Returns the session and its user; null without a session.
   *
   * `GET /api/auth/get-session`. Callers: anyone.
   */
  async getSession(query: GetSessionQuery = {}, options: RequestOptions = {}): Promise<GetSessionResponse> {
    return this.transport.json({ method: 'GET', path: '/api/auth/get-session', query }, options);
  }

  /**
   * Lists the user's sessions.
   *
   * `GET /api/auth/list-sessions`. Callers: a session.
   */
  async listSessions(options: RequestOptions = {}): Promise<ListSessionsResponse> {
    return this.transport.json({ method: 'GET', path: '/api/auth/list-sessions' }, options);
  }

  /**
   * Ends one of the user's sessions.
   *
   * `POST /api/auth/revoke-session`. Callers: a session.
   */
  async revokeSession(
    body: RevokeSessionInput,
    options: RequestOptions = {},
  ): Promise<RevokeSessionResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/revoke-session', body }, options);
  }

  /**
   * Ends all of the user's sessions.
   *
   * `POST /api/auth/revoke-sessions`. Callers: a session.
   */
  async revokeSessions(options: RequestOptions = {}): Promise<RevokeSessionsResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/revoke-sessions' }, options);
  }

  /**
   * Ends the user's other sessions.
   *
   * `POST /api/auth/revoke-other-sessions`. Callers: a session.
   */
  async revokeOtherSessions(options: RequestOptions = {}): Promise<RevokeOtherSessionsResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/revoke-other-sessions' }, options);
  }

  /**
   * Sends the mail that confirms an address.
   *
   * `POST /api/auth/send-verification-email`. Callers: anyone.
   */
  async sendVerificationEmail(
    body: EmailInput,
    options: RequestOptions = {},
  ): Promise<SendVerificationEmailResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/send-verification-email', body }, options);
  }

  /**
   * Confirms an address with the token of the mail.
   *
   * `POST /api/auth/verify-email`. Callers: anyone.
   */
  async verifyEmail(body: VerifyEmailInput, options: RequestOptions = {}): Promise<VerifyEmailResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/verify-email', body }, options);
  }

  /**
   * Sends the mail for resetting a password. The response is the same whether or not the account exists.
   *
   * `POST /api/auth/request-password-reset`. Callers: anyone.
   */
  async requestPasswordReset(
    body: PasswordResetRequest,
    options: RequestOptions = {},
  ): Promise<RequestPasswordResetResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/request-password-reset', body }, options);
  }

  /**
   * Sets a new password with the token of that mail, and ends all sessions and all other reset links.
   *
   * `POST /api/auth/reset-password`. Callers: anyone.
   */
  async resetPassword(
    body: PasswordResetInput,
    options: RequestOptions = {},
  ): Promise<ResetPasswordResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/reset-password', body }, options);
  }

  /**
   * Changes the password, and ends all reset links that were mailed.
   *
   * `POST /api/auth/change-password`. Callers: a session.
   */
  async changePassword(
    body: ChangePasswordInput,
    options: RequestOptions = {},
  ): Promise<ChangePasswordResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/change-password', body }, options);
  }

  /**
   * Begins to add a passkey.
   *
   * `GET /api/auth/passkey/generate-register-options`. Callers: a session.
   */
  async beginPasskey(options: RequestOptions = {}): Promise<PasskeyOptions> {
    return this.transport.json(
      { method: 'GET', path: '/api/auth/passkey/generate-register-options' },
      options,
    );
  }

  /**
   * Adds a passkey.
   *
   * `POST /api/auth/passkey/verify-registration`. Callers: a session.
   */
  async addPasskey(body: AddPasskeyInput, options: RequestOptions = {}): Promise<Passkey> {
    return this.transport.json(
      { method: 'POST', path: '/api/auth/passkey/verify-registration', body },
      options,
    );
  }

  /**
   * Lists the user's passkeys, oldest first.
   *
   * `GET /api/auth/passkey/list-user-passkeys`. Callers: a session.
   */
  async listPasskeys(options: RequestOptions = {}): Promise<ListPasskeysResponse> {
    return this.transport.json({ method: 'GET', path: '/api/auth/passkey/list-user-passkeys' }, options);
  }

  /**
   * Removes a passkey. Sessions that it began go on.
   *
   * `POST /api/auth/passkey/delete-passkey`. Callers: a session.
   */
  async removePasskey(
    body: RemovePasskeyInput,
    options: RequestOptions = {},
  ): Promise<RemovePasskeyResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/passkey/delete-passkey', body }, options);
  }

  /**
   * Begins a sign-in with a passkey.
   *
   * `GET /api/auth/passkey/generate-authenticate-options`. Callers: anyone.
   */
  async beginPasskeySignIn(options: RequestOptions = {}): Promise<PasskeyOptions> {
    return this.transport.json(
      { method: 'GET', path: '/api/auth/passkey/generate-authenticate-options' },
      options,
    );
  }

  /**
   * Signs in with a passkey.
   *
   * `POST /api/auth/passkey/verify-authentication`. Callers: anyone.
   */
  async signInWithPasskey(body: PasskeySignInInput, options: RequestOptions = {}): Promise<SessionAndUser> {
    return this.transport.json(
      { method: 'POST', path: '/api/auth/passkey/verify-authentication', body },
      options,
    );
  }

  /**
   * Returns whether two-factor sign-in is on, and how many recovery codes are left.
   *
   * `GET /api/auth/two-factor`. Callers: a session.
   */
  async getTwoFactor(options: RequestOptions = {}): Promise<TwoFactorState> {
    return this.transport.json({ method: 'GET', path: '/api/auth/two-factor' }, options);
  }

  /**
   * Begins to turn two-factor sign-in on.
   *
   * `POST /api/auth/two-factor/enable`. Callers: a session.
   */
  async enableTwoFactor(body: EnableTwoFactorInput, options: RequestOptions = {}): Promise<TwoFactorSecret> {
    return this.transport.json({ method: 'POST', path: '/api/auth/two-factor/enable', body }, options);
  }

  /**
   * Turns two-factor sign-in on.
   *
   * `POST /api/auth/two-factor/confirm`. Callers: a session.
   */
  async confirmTwoFactor(body: ConfirmTwoFactorInput, options: RequestOptions = {}): Promise<RecoveryCodes> {
    return this.transport.json({ method: 'POST', path: '/api/auth/two-factor/confirm', body }, options);
  }

  /**
   * Turns two-factor sign-in off.
   *
   * `POST /api/auth/two-factor/disable`. Callers: a session.
   */
  async disableTwoFactor(body: TwoFactorProof, options: RequestOptions = {}): Promise<TwoFactorDisabled> {
    return this.transport.json({ method: 'POST', path: '/api/auth/two-factor/disable', body }, options);
  }

  /**
   * Returns new recovery codes. The old ones end.
   *
   * `POST /api/auth/two-factor/renew-recovery-codes`. Callers: a session.
   */
  async renewRecoveryCodes(body: TwoFactorProof, options: RequestOptions = {}): Promise<RecoveryCodes> {
    return this.transport.json(
      { method: 'POST', path: '/api/auth/two-factor/renew-recovery-codes', body },
      options,
    );
  }

  /**
   * Changes the user's name or image.
   *
   * `POST /api/auth/update-user`. Callers: a session.
   */
  async updateUser(body: UpdateUserInput, options: RequestOptions = {}): Promise<UpdateUserResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/update-user', body }, options);
  }

  /**
   * Lists the user's sign-in methods.
   *
   * `GET /api/auth/list-accounts`. Callers: a session.
   */
  async listAccounts(options: RequestOptions = {}): Promise<ListAccountsResponse> {
    return this.transport.json({ method: 'GET', path: '/api/auth/list-accounts' }, options);
  }

  /**
   * Adds an account at a provider as a sign-in method.
   *
   * `POST /api/auth/link-social`. Callers: a session.
   */
  async linkSocial(body: LinkSocialInput, options: RequestOptions = {}): Promise<LinkSocialResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/link-social', body }, options);
  }

  /**
   * Removes a sign-in method. The last one cannot be removed.
   *
   * `POST /api/auth/unlink-account`. Callers: a session.
   */
  async unlinkAccount(
    body: UnlinkAccountInput,
    options: RequestOptions = {},
  ): Promise<UnlinkAccountResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/unlink-account', body }, options);
  }
}

export class AdminResource extends Resource {
  /**
   * Lists what happened to the account of a user, newest first.
   *
   * `GET /api/v1/admin/users/{userId}/security-events`. Callers: the session of an administrator of the service.
   */
  listSecurityEvents(
    userId: string,
    query: ListSecurityEventsOfUserQuery = {},
    options: RequestOptions = {},
  ): List<SecurityEvent, SecurityEventPage> {
    return this.transport.list(
      byCursor<SecurityEventPage>(),
      { method: 'GET', path: path`/api/v1/admin/users/${userId}/security-events`, query },
      options,
    );
  }

  /**
   * Lists the changes on the whole platform, with their authors, newest first.
   *
   * `GET /api/v1/admin/audit-events`. Callers: the session of an administrator of the service.
   */
  listAuditEvents(
    query: ListAllAuditEventsQuery = {},
    options: RequestOptions = {},
  ): List<AuditEvent, ListAllAuditEventsResponse> {
    return this.transport.list(
      byCursor<ListAllAuditEventsResponse>(),
      { method: 'GET', path: '/api/v1/admin/audit-events', query },
      options,
    );
  }

  /**
   * Returns what administrators need to know of the service's configuration.
   *
   * `GET /api/v1/admin/settings`. Callers: the session of an administrator of the service.
   */
  async getSettings(options: RequestOptions = {}): Promise<ServiceSettings> {
    return this.transport.json({ method: 'GET', path: '/api/v1/admin/settings' }, options);
  }

  /**
   * Lists the organizations, newest first.
   *
   * `GET /api/v1/admin/organizations`. Callers: the session of an administrator of the service.
   */
  listOrganizations(
    query: ListAllOrganizationsQuery = {},
    options: RequestOptions = {},
  ): List<AdministeredOrganization, ListAllOrganizationsResponse> {
    return this.transport.list(
      byCursor<ListAllOrganizationsResponse>(),
      { method: 'GET', path: '/api/v1/admin/organizations', query },
      options,
    );
  }

  /**
   * Lists the failed messages of all organizations, newest first.
   *
   * `GET /api/v1/admin/messages`. Callers: the session of an administrator of the service.
   */
  listFailedMessages(
    query: ListFailedMessagesQuery = {},
    options: RequestOptions = {},
  ): List<FailedMessage, ListFailedMessagesResponse> {
    return this.transport.list(
      byCursor<ListFailedMessagesResponse>(),
      { method: 'GET', path: '/api/v1/admin/messages', query },
      options,
    );
  }

  /**
   * Resends the failed messages of a period, each as a new message.
   *
   * `POST /api/v1/admin/messages/redrive`. Callers: the session of an administrator of the service.
   */
  async redriveMessages(body: MessageRedriveInput, options: RequestOptions = {}): Promise<Redrive> {
    return this.transport.json({ method: 'POST', path: '/api/v1/admin/messages/redrive', body }, options);
  }

  /**
   * Takes the deliveries of a period out of the dead-letter queue and attempts them again.
   *
   * `POST /api/v1/admin/webhook-deliveries/redrive`. Callers: the session of an administrator of the service.
   */
  async redriveWebhookDeliveries(body: DeliveryRedriveInput, options: RequestOptions = {}): Promise<Redrive> {
    return this.transport.json(
      { method: 'POST', path: '/api/v1/admin/webhook-deliveries/redrive', body },
      options,
    );
  }

  /**
   * Lists the redrives by filter and their progress, newest first.
   *
   * `GET /api/v1/admin/redrives`. Callers: the session of an administrator of the service.
   */
  listRedrives(
    query: ListRedrivesQuery = {},
    options: RequestOptions = {},
  ): List<Redrive, ListRedrivesResponse> {
    return this.transport.list(
      byCursor<ListRedrivesResponse>(),
      { method: 'GET', path: '/api/v1/admin/redrives', query },
      options,
    );
  }

  /**
   * Returns the progress of a redrive.
   *
   * `GET /api/v1/admin/redrives/{redriveId}`. Callers: the session of an administrator of the service.
   */
  async getRedrive(redriveId: string, options: RequestOptions = {}): Promise<Redrive> {
    return this.transport.json({ method: 'GET', path: path`/api/v1/admin/redrives/${redriveId}` }, options);
  }

  /**
   * Cancels a redrive. Items that it has already redriven stay redriven.
   *
   * `POST /api/v1/admin/redrives/{redriveId}/cancel`. Callers: the session of an administrator of the service.
   */
  async cancelRedrive(redriveId: string, options: RequestOptions = {}): Promise<Redrive> {
    return this.transport.json(
      { method: 'POST', path: path`/api/v1/admin/redrives/${redriveId}/cancel` },
      options,
    );
  }

  /**
   * Returns the controls of sending that apply to all organizations.
   *
   * `GET /api/v1/admin/sending-controls`. Callers: the session of an administrator of the service.
   */
  async getPlatformSendingControls(options: RequestOptions = {}): Promise<SendingControls> {
    return this.transport.json({ method: 'GET', path: '/api/v1/admin/sending-controls' }, options);
  }

  /**
   * Stops or resumes sending for all organizations, and sets the destinations and caps of their messages.
   *
   * `PUT /api/v1/admin/sending-controls`. Callers: the session of an administrator of the service.
   */
  async changePlatformSendingControls(
    body: SendingControlsInput,
    options: RequestOptions = {},
  ): Promise<SendingControls> {
    return this.transport.json({ method: 'PUT', path: '/api/v1/admin/sending-controls', body }, options);
  }

  /**
   * Returns the controls of sending that apply to one organization.
   *
   * `GET /api/v1/admin/organizations/{organizationId}/sending-controls`. Callers: the session of an administrator of the service.
   */
  async getSendingControls(organizationId: string, options: RequestOptions = {}): Promise<SendingControls> {
    return this.transport.json(
      { method: 'GET', path: path`/api/v1/admin/organizations/${organizationId}/sending-controls` },
      options,
    );
  }

  /**
   * Stops or resumes sending for one organization, and sets the destinations and caps of its messages.
   *
   * `PUT /api/v1/admin/organizations/{organizationId}/sending-controls`. Callers: the session of an administrator of the service.
   */
  async changeSendingControls(
    organizationId: string,
    body: SendingControlsInput,
    options: RequestOptions = {},
  ): Promise<SendingControls> {
    return this.transport.json(
      { method: 'PUT', path: path`/api/v1/admin/organizations/${organizationId}/sending-controls`, body },
      options,
    );
  }

  /**
   * Returns when security codes that nobody verifies raise an alarm.
   *
   * `GET /api/v1/admin/security-codes/watch`. Callers: the session of an administrator of the service.
   */
  async getSecurityCodeWatch(options: RequestOptions = {}): Promise<SecurityCodeWatch> {
    return this.transport.json({ method: 'GET', path: '/api/v1/admin/security-codes/watch' }, options);
  }

  /**
   * Sets when security codes that nobody verifies raise an alarm, and whether they are refused.
   *
   * `PUT /api/v1/admin/security-codes/watch`. Callers: the session of an administrator of the service.
   */
  async changeSecurityCodeWatch(
    body: SecurityCodeWatchInput,
    options: RequestOptions = {},
  ): Promise<SecurityCodeWatch> {
    return this.transport.json({ method: 'PUT', path: '/api/v1/admin/security-codes/watch', body }, options);
  }

  /**
   * Lists the alarms of security codes that nobody verifies, newest first.
   *
   * `GET /api/v1/admin/security-codes/alarms`. Callers: the session of an administrator of the service.
   */
  listSecurityCodeAlarms(
    query: ListSecurityCodeAlarmsQuery = {},
    options: RequestOptions = {},
  ): List<SecurityCodeAlarm, ListSecurityCodeAlarmsResponse> {
    return this.transport.list(
      byCursor<ListSecurityCodeAlarmsResponse>(),
      { method: 'GET', path: '/api/v1/admin/security-codes/alarms', query },
      options,
    );
  }

  /**
   * Ends an alarm, so that security codes to its prefix are sent again.
   *
   * `POST /api/v1/admin/security-codes/alarms/{alarmId}/release`. Callers: the session of an administrator of the service.
   */
  async releaseSecurityCodeAlarm(alarmId: string, options: RequestOptions = {}): Promise<SecurityCodeAlarm> {
    return this.transport.json(
      { method: 'POST', path: path`/api/v1/admin/security-codes/alarms/${alarmId}/release` },
      options,
    );
  }

  /**
   * Lists the rules about the texts of messages, newest first.
   *
   * `GET /api/v1/admin/content-rules`. Callers: the session of an administrator of the service.
   */
  listContentRules(
    query: ListContentRulesQuery = {},
    options: RequestOptions = {},
  ): List<ContentRule, ListContentRulesResponse> {
    return this.transport.list(
      byCursor<ListContentRulesResponse>(),
      { method: 'GET', path: '/api/v1/admin/content-rules', query },
      options,
    );
  }

  /**
   * Creates a rule that refuses texts, for all organizations or for one.
   *
   * `POST /api/v1/admin/content-rules`. Callers: the session of an administrator of the service.
   */
  async createContentRule(body: ContentRuleInput, options: RequestOptions = {}): Promise<ContentRule> {
    return this.transport.json({ method: 'POST', path: '/api/v1/admin/content-rules', body }, options);
  }

  /**
   * Replaces a rule. It stays that of its organization, or of the platform.
   *
   * `PUT /api/v1/admin/content-rules/{ruleId}`. Callers: the session of an administrator of the service.
   */
  async updateContentRule(
    ruleId: string,
    body: ContentRuleChange,
    options: RequestOptions = {},
  ): Promise<ContentRule> {
    return this.transport.json(
      { method: 'PUT', path: path`/api/v1/admin/content-rules/${ruleId}`, body },
      options,
    );
  }

  /**
   * Deletes a rule.
   *
   * `DELETE /api/v1/admin/content-rules/{ruleId}`. Callers: the session of an administrator of the service.
   */
  async deleteContentRule(ruleId: string, options: RequestOptions = {}): Promise<void> {
    return this.transport.empty(
      { method: 'DELETE', path: path`/api/v1/admin/content-rules/${ruleId}` },
      options,
    );
  }

  /**
   * Lists the deliveries of all organizations, or of one, newest first.
   *
   * `GET /api/v1/admin/webhook-deliveries`. Callers: the session of an administrator of the service.
   */
  listWebhookDeliveries(
    query: ListAllWebhookDeliveriesQuery = {},
    options: RequestOptions = {},
  ): List<WebhookDelivery, ListAllWebhookDeliveriesResponse> {
    return this.transport.list(
      byCursor<ListAllWebhookDeliveriesResponse>(),
      { method: 'GET', path: '/api/v1/admin/webhook-deliveries', query },
      options,
    );
  }

  /**
   * Redrives a dead delivery of any organization, as the organization itself can.
   *
   * `POST /api/v1/admin/webhook-deliveries/{deliveryId}/redrive`. Callers: the session of an administrator of the service.
   */
  async redriveWebhookDelivery(deliveryId: string, options: RequestOptions = {}): Promise<WebhookDelivery> {
    return this.transport.json(
      { method: 'POST', path: path`/api/v1/admin/webhook-deliveries/${deliveryId}/redrive` },
      options,
    );
  }

  /**
   * Lists the sender IDs of all organizations, newest first.
   *
   * `GET /api/v1/admin/sender-ids`. Callers: the session of an administrator of the service.
   */
  listSenderIds(
    query: ListAllSenderIdsQuery = {},
    options: RequestOptions = {},
  ): List<ReviewedSenderId, ListAllSenderIdsResponse> {
    return this.transport.list(
      byCursor<ListAllSenderIdsResponse>(),
      { method: 'GET', path: '/api/v1/admin/sender-ids', query },
      options,
    );
  }

  /**
   * Approves or rejects a sender ID that is pending, or makes an approved one the default.
   *
   * `PATCH /api/v1/admin/sender-ids/{senderId}/review`. Callers: the session of an administrator of the service.
   */
  async reviewSenderId(
    senderId: string,
    body: SenderIdReview,
    options: RequestOptions = {},
  ): Promise<ReviewedSenderId> {
    return this.transport.json(
      { method: 'PATCH', path: path`/api/v1/admin/sender-ids/${senderId}/review`, body },
      options,
    );
  }

  /**
   * Lists the erasures that administrators have requested, newest first.
   *
   * `GET /api/v1/admin/privacy/erasures`. Callers: the session of an administrator of the service.
   */
  listErasures(
    query: ListPlatformErasuresQuery = {},
    options: RequestOptions = {},
  ): List<PlatformErasure, ListPlatformErasuresResponse> {
    return this.transport.list(
      byCursor<ListPlatformErasuresResponse>(),
      { method: 'GET', path: '/api/v1/admin/privacy/erasures', query },
      options,
    );
  }

  /**
   * Erases the number of a person from what belongs to no organization.
   *
   * `POST /api/v1/admin/privacy/erasures`. Callers: the session of an administrator of the service.
   */
  async requestErasure(body: PlatformErasureInput, options: RequestOptions = {}): Promise<PlatformErasure> {
    return this.transport.json({ method: 'POST', path: '/api/v1/admin/privacy/erasures', body }, options);
  }

  /**
   * Returns the progress of an erasure that an administrator has requested.
   *
   * `GET /api/v1/admin/privacy/erasures/{erasureId}`. Callers: the session of an administrator of the service.
   */
  async getErasure(erasureId: string, options: RequestOptions = {}): Promise<PlatformErasure> {
    return this.transport.json(
      { method: 'GET', path: path`/api/v1/admin/privacy/erasures/${erasureId}` },
      options,
    );
  }

  /**
   * Exports what is stored about the person with a phone number and belongs to no organization.
   *
   * `GET /api/v1/admin/privacy/export`. Callers: the session of an administrator of the service.
   */
  async exportPerson(
    query: ExportUnroutedPersonQuery,
    options: RequestOptions = {},
  ): Promise<PlatformPersonExport> {
    return this.transport.json({ method: 'GET', path: '/api/v1/admin/privacy/export', query }, options);
  }

  /**
   * Lists mobile-originated messages that were not assigned to an organization, newest first.
   *
   * `GET /api/v1/admin/inbound/messages`. Callers: the session of an administrator of the service.
   */
  listInboundMessages(
    query: ListUnroutedMessagesQuery = {},
    options: RequestOptions = {},
  ): List<InboundMessage, ListUnroutedMessagesResponse> {
    return this.transport.list(
      byCursor<ListUnroutedMessagesResponse>(),
      { method: 'GET', path: '/api/v1/admin/inbound/messages', query },
      options,
    );
  }

  /**
   * Lists users.
   *
   * `GET /api/auth/admin/list-users`. Callers: the session of an administrator of the service.
   */
  listUsers(query: ListUsersQuery = {}, options: RequestOptions = {}): List<User, ListUsersResponse> {
    return this.transport.list(
      byOffset((page: ListUsersResponse) => page.users),
      { method: 'GET', path: '/api/auth/admin/list-users', query },
      options,
    );
  }

  /**
   * Returns a user.
   *
   * `GET /api/auth/admin/get-user`. Callers: the session of an administrator of the service.
   */
  async getUser(query: GetUserQuery, options: RequestOptions = {}): Promise<User> {
    return this.transport.json({ method: 'GET', path: '/api/auth/admin/get-user', query }, options);
  }

  /**
   * Creates a user.
   *
   * `POST /api/auth/admin/create-user`. Callers: the session of an administrator of the service.
   */
  async createUser(body: CreateUserInput, options: RequestOptions = {}): Promise<CreateUserResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/admin/create-user', body }, options);
  }

  /**
   * Changes a user's role on the platform.
   *
   * `POST /api/auth/admin/set-role`. Callers: the session of an administrator of the service.
   */
  async setRole(body: SetRoleInput, options: RequestOptions = {}): Promise<SetUserRoleResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/admin/set-role', body }, options);
  }

  /**
   * Bans a user: all their sessions are refused with `banned` from the next request on.
   *
   * `POST /api/auth/admin/ban-user`. Callers: the session of an administrator of the service.
   */
  async banUser(body: BanInput, options: RequestOptions = {}): Promise<BanUserResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/admin/ban-user', body }, options);
  }

  /**
   * Ends a ban.
   *
   * `POST /api/auth/admin/unban-user`. Callers: the session of an administrator of the service.
   */
  async unbanUser(body: UserIdInput, options: RequestOptions = {}): Promise<UnbanUserResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/admin/unban-user', body }, options);
  }

  /**
   * Opens a session of one hour as another user. Administrators cannot be impersonated.
   *
   * `POST /api/auth/admin/impersonate-user`. Callers: the session of an administrator of the service.
   */
  async impersonateUser(body: UserIdInput, options: RequestOptions = {}): Promise<ImpersonateUserResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/admin/impersonate-user', body }, options);
  }

  /**
   * Ends an impersonation.
   *
   * `POST /api/auth/admin/stop-impersonating`. Callers: a session.
   */
  async stopImpersonating(options: RequestOptions = {}): Promise<StopImpersonatingResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/admin/stop-impersonating' }, options);
  }

  /**
   * Lists a user's sessions.
   *
   * `POST /api/auth/admin/list-user-sessions`. Callers: the session of an administrator of the service.
   */
  async listUserSessions(body: UserIdInput, options: RequestOptions = {}): Promise<ListUserSessionsResponse> {
    return this.transport.json(
      { method: 'POST', path: '/api/auth/admin/list-user-sessions', body, isHarmless: true },
      options,
    );
  }

  /**
   * Ends a session of a user.
   *
   * `POST /api/auth/admin/revoke-user-session`. Callers: the session of an administrator of the service.
   */
  async revokeUserSession(
    body: SessionTokenInput,
    options: RequestOptions = {},
  ): Promise<RevokeUserSessionResponse> {
    return this.transport.json(
      { method: 'POST', path: '/api/auth/admin/revoke-user-session', body },
      options,
    );
  }

  /**
   * Turns two-factor sign-in off for a user who has lost their app and their recovery codes.
   *
   * `POST /api/auth/admin/reset-two-factor`. Callers: the session of an administrator of the service.
   */
  async resetTwoFactor(body: UserIdInput, options: RequestOptions = {}): Promise<ResetTwoFactorResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/admin/reset-two-factor', body }, options);
  }

  /**
   * Ends all sessions of a user.
   *
   * `POST /api/auth/admin/revoke-user-sessions`. Callers: the session of an administrator of the service.
   */
  async revokeUserSessions(
    body: UserIdInput,
    options: RequestOptions = {},
  ): Promise<RevokeUserSessionsResponse> {
    return this.transport.json(
      { method: 'POST', path: '/api/auth/admin/revoke-user-sessions', body },
      options,
    );
  }
}

export class OrganizationsResource extends Resource {
  /**
   * Lists the open invitations of the signed-in user, newest first.
   *
   * `GET /api/v1/organizations/invitations`. Callers: a session.
   */
  listReceivedInvitations(
    query: ListInvitationsQuery = {},
    options: RequestOptions = {},
  ): List<Invitation, ListInvitationsResponse> {
    return this.transport.list(
      byCursor<ListInvitationsResponse>(),
      { method: 'GET', path: '/api/v1/organizations/invitations', query },
      options,
    );
  }

  /**
   * Returns the limits that the service sets for the organization.
   *
   * `GET /api/v1/organizations/limits`. Callers: the session of a member.
   */
  async getLimits(
    query: GetOrganizationLimitsQuery = {},
    options: RequestOptions = {},
  ): Promise<OrganizationLimits> {
    return this.transport.json({ method: 'GET', path: '/api/v1/organizations/limits', query }, options);
  }

  /**
   * Creates an organization. The user becomes its owner.
   *
   * `POST /api/auth/organization/create`. Callers: a session.
   */
  async create(body: OrganizationInput, options: RequestOptions = {}): Promise<OrganizationWithMembers> {
    return this.transport.json({ method: 'POST', path: '/api/auth/organization/create', body }, options);
  }

  /**
   * Changes an organization.
   *
   * `POST /api/auth/organization/update`. Callers: a session.
   */
  async update(body: OrganizationUpdate, options: RequestOptions = {}): Promise<Organization> {
    return this.transport.json({ method: 'POST', path: '/api/auth/organization/update', body }, options);
  }

  /**
   * Sets the active organization of the session; null clears it.
   *
   * `POST /api/auth/organization/set-active`. Callers: a session.
   */
  async setActive(
    body: ActiveOrganizationInput,
    options: RequestOptions = {},
  ): Promise<SetActiveOrganizationResponse> {
    return this.transport.json({ method: 'POST', path: '/api/auth/organization/set-active', body }, options);
  }

  /**
   * Lists the user's organizations.
   *
   * `GET /api/auth/organization/list`. Callers: a session.
   */
  async list(options: RequestOptions = {}): Promise<ListOrganizationsResponse> {
    return this.transport.json({ method: 'GET', path: '/api/auth/organization/list' }, options);
  }

  /**
   * Checks whether a slug is available.
   *
   * `POST /api/auth/organization/check-slug`. Callers: a session.
   */
  async checkSlug(body: SlugInput, options: RequestOptions = {}): Promise<CheckOrganizationSlugResponse> {
    return this.transport.json(
      { method: 'POST', path: '/api/auth/organization/check-slug', body, isHarmless: true },
      options,
    );
  }

  /**
   * Returns an organization with its members and invitations.
   *
   * `GET /api/auth/organization/get-full-organization`. Callers: a session.
   */
  async getFull(
    query: GetFullOrganizationQuery = {},
    options: RequestOptions = {},
  ): Promise<OrganizationWithMembers> {
    return this.transport.json(
      { method: 'GET', path: '/api/auth/organization/get-full-organization', query },
      options,
    );
  }

  /**
   * Lists members.
   *
   * `GET /api/auth/organization/list-members`. Callers: a session.
   */
  listMembers(
    query: ListMembersQuery = {},
    options: RequestOptions = {},
  ): List<MemberWithUser, ListMembersResponse> {
    return this.transport.list(
      byOffset((page: ListMembersResponse) => page.members),
      { method: 'GET', path: '/api/auth/organization/list-members', query },
      options,
    );
  }

  /**
   * Returns the user as a member of the active organization, or of their only organization.
   *
   * `GET /api/auth/organization/get-active-member`. Callers: a session.
   */
  async getActiveMember(options: RequestOptions = {}): Promise<MemberWithUser> {
    return this.transport.json({ method: 'GET', path: '/api/auth/organization/get-active-member' }, options);
  }

  /**
   * Returns the role of the user, or of another member.
   *
   * `GET /api/auth/organization/get-active-member-role`. Callers: a session.
   */
  async getActiveMemberRole(
    query: GetActiveMemberRoleQuery = {},
    options: RequestOptions = {},
  ): Promise<GetActiveMemberRoleResponse> {
    return this.transport.json(
      { method: 'GET', path: '/api/auth/organization/get-active-member-role', query },
      options,
    );
  }

  /**
   * Changes a member's role. Only owners can make someone an owner or change an owner.
   *
   * `POST /api/auth/organization/update-member-role`. Callers: a session.
   */
  async updateMemberRole(body: MemberRoleInput, options: RequestOptions = {}): Promise<Member> {
    return this.transport.json(
      { method: 'POST', path: '/api/auth/organization/update-member-role', body },
      options,
    );
  }

  /**
   * Removes a member. Only owners can remove an owner. The last owner cannot be removed.
   *
   * `POST /api/auth/organization/remove-member`. Callers: a session.
   */
  async removeMember(body: RemoveMemberInput, options: RequestOptions = {}): Promise<RemoveMemberResponse> {
    return this.transport.json(
      { method: 'POST', path: '/api/auth/organization/remove-member', body },
      options,
    );
  }

  /**
   * Leaves an organization. The last owner cannot leave.
   *
   * `POST /api/auth/organization/leave`. Callers: a session.
   */
  async leave(body: LeaveInput, options: RequestOptions = {}): Promise<MemberWithUser> {
    return this.transport.json({ method: 'POST', path: '/api/auth/organization/leave', body }, options);
  }

  /**
   * Invites an e-mail address. Only owners can invite owners.
   *
   * `POST /api/auth/organization/invite-member`. Callers: a session.
   */
  async inviteMember(body: InvitationInput, options: RequestOptions = {}): Promise<Invitation> {
    return this.transport.json(
      { method: 'POST', path: '/api/auth/organization/invite-member', body },
      options,
    );
  }

  /**
   * Accepts an invitation of the user's confirmed address.
   *
   * `POST /api/auth/organization/accept-invitation`. Callers: a session.
   */
  async acceptInvitation(
    body: InvitationIdInput,
    options: RequestOptions = {},
  ): Promise<AcceptInvitationResponse> {
    return this.transport.json(
      { method: 'POST', path: '/api/auth/organization/accept-invitation', body },
      options,
    );
  }

  /**
   * Rejects an invitation of the user's confirmed address.
   *
   * `POST /api/auth/organization/reject-invitation`. Callers: a session.
   */
  async rejectInvitation(
    body: InvitationIdInput,
    options: RequestOptions = {},
  ): Promise<RejectInvitationResponse> {
    return this.transport.json(
      { method: 'POST', path: '/api/auth/organization/reject-invitation', body },
      options,
    );
  }

  /**
   * Cancels an open invitation.
   *
   * `POST /api/auth/organization/cancel-invitation`. Callers: a session.
   */
  async cancelInvitation(body: InvitationIdInput, options: RequestOptions = {}): Promise<Invitation> {
    return this.transport.json(
      { method: 'POST', path: '/api/auth/organization/cancel-invitation', body },
      options,
    );
  }

  /**
   * Returns an open invitation to its recipient.
   *
   * `GET /api/auth/organization/get-invitation`. Callers: a session.
   */
  async getInvitation(query: GetInvitationQuery, options: RequestOptions = {}): Promise<InvitationWithNames> {
    return this.transport.json(
      { method: 'GET', path: '/api/auth/organization/get-invitation', query },
      options,
    );
  }

  /**
   * Lists the invitations of an organization.
   *
   * `GET /api/auth/organization/list-invitations`. Callers: a session.
   */
  async listInvitations(
    query: ListOrganizationInvitationsQuery = {},
    options: RequestOptions = {},
  ): Promise<ListOrganizationInvitationsResponse> {
    return this.transport.json(
      { method: 'GET', path: '/api/auth/organization/list-invitations', query },
      options,
    );
  }

  /**
   * Lists the open invitations of the user's confirmed address.
   *
   * `GET /api/auth/organization/list-user-invitations`. Callers: a session.
   */
  async listUserInvitations(options: RequestOptions = {}): Promise<ListUserInvitationsResponse> {
    return this.transport.json(
      { method: 'GET', path: '/api/auth/organization/list-user-invitations' },
      options,
    );
  }
}

export class WebhookDeliveriesResource extends Resource {
  /**
   * Lists webhook deliveries, newest first.
   *
   * `GET /api/v1/webhook-deliveries`. Callers: a session, or a key with the permission webhooks:read.
   */
  list(
    query: ListWebhookDeliveriesQuery = {},
    options: RequestOptions = {},
  ): List<WebhookDelivery, ListWebhookDeliveriesResponse> {
    return this.transport.list(
      byCursor<ListWebhookDeliveriesResponse>(),
      { method: 'GET', path: '/api/v1/webhook-deliveries', query },
      options,
    );
  }

  /**
   * Returns a webhook delivery with the body of its requests and its latest attempts.
   *
   * `GET /api/v1/webhook-deliveries/{deliveryId}`. Callers: a session, or a key with the permission webhooks:read.
   */
  async get(
    deliveryId: string,
    query: GetWebhookDeliveryQuery = {},
    options: RequestOptions = {},
  ): Promise<WebhookDeliveryDetails> {
    return this.transport.json(
      { method: 'GET', path: path`/api/v1/webhook-deliveries/${deliveryId}`, query },
      options,
    );
  }

  /**
   * Takes a delivery out of the dead-letter queue and attempts it again at once.
   *
   * `POST /api/v1/webhook-deliveries/{deliveryId}/redrive`. Callers: a session, or a key with the permission webhooks:write.
   */
  async redrive(
    deliveryId: string,
    body?: RedriveInput,
    options: RequestOptions = {},
  ): Promise<WebhookDelivery> {
    return this.transport.json(
      { method: 'POST', path: path`/api/v1/webhook-deliveries/${deliveryId}/redrive`, body },
      options,
    );
  }
}

export class TemplatesResource extends Resource {
  /**
   * Lists templates, newest first.
   *
   * `GET /api/v1/templates/`. Callers: a session, or a key with the permission templates:read.
   */
  list(query: ListTemplatesQuery = {}, options: RequestOptions = {}): List<Template, ListTemplatesResponse> {
    return this.transport.list(
      byCursor<ListTemplatesResponse>(),
      { method: 'GET', path: '/api/v1/templates/', query },
      options,
    );
  }

  /**
   * Creates a template.
   *
   * `POST /api/v1/templates/`. Callers: a session, or a key with the permission templates:write.
   */
  async create(body: TemplateInput, options: RequestOptions = {}): Promise<Template> {
    return this.transport.json({ method: 'POST', path: '/api/v1/templates/', body }, options);
  }

  /**
   * Changes a template.
   *
   * `PATCH /api/v1/templates/{templateId}`. Callers: a session, or a key with the permission templates:write.
   */
  async update(templateId: string, body: TemplateInput, options: RequestOptions = {}): Promise<Template> {
    return this.transport.json(
      { method: 'PATCH', path: path`/api/v1/templates/${templateId}`, body },
      options,
    );
  }

  /**
   * Deletes a template.
   *
   * `DELETE /api/v1/templates/{templateId}`. Callers: a session, or a key with the permission templates:write.
   */
  async delete(
    templateId: string,
    query: DeleteTemplateQuery = {},
    options: RequestOptions = {},
  ): Promise<void> {
    return this.transport.empty(
      { method: 'DELETE', path: path`/api/v1/templates/${templateId}`, query },
      options,
    );
  }
}

export class CampaignsResource extends Resource {
  /**
   * Lists campaigns, newest first.
   *
   * `GET /api/v1/campaigns/`. Callers: a session, or a key with the permission campaigns:read.
   */
  list(query: ListCampaignsQuery = {}, options: RequestOptions = {}): List<Campaign, ListCampaignsResponse> {
    return this.transport.list(
      byPage<ListCampaignsResponse>(),
      { method: 'GET', path: '/api/v1/campaigns/', query },
      options,
    );
  }

  /**
   * Creates a campaign.
   *
   * `POST /api/v1/campaigns/`. Callers: a session, or a key with the permission campaigns:write.
   */
  async create(body: CampaignInput, options: RequestOptions = {}): Promise<Campaign> {
    return this.transport.json({ method: 'POST', path: '/api/v1/campaigns/', body }, options);
  }

  /**
   * Changes a campaign.
   *
   * `PATCH /api/v1/campaigns/{campaignId}`. Callers: a session, or a key with the permission campaigns:write.
   */
  async update(campaignId: string, body: CampaignInput, options: RequestOptions = {}): Promise<Campaign> {
    return this.transport.json(
      { method: 'PATCH', path: path`/api/v1/campaigns/${campaignId}`, body },
      options,
    );
  }

  /**
   * Deletes a campaign without batches.
   *
   * `DELETE /api/v1/campaigns/{campaignId}`. Callers: a session, or a key with the permission campaigns:write.
   */
  async delete(
    campaignId: string,
    query: DeleteCampaignQuery = {},
    options: RequestOptions = {},
  ): Promise<void> {
    return this.transport.empty(
      { method: 'DELETE', path: path`/api/v1/campaigns/${campaignId}`, query },
      options,
    );
  }
}

export class SenderIdsResource extends Resource {
  /**
   * Lists sender IDs, newest first.
   *
   * `GET /api/v1/sender-ids`. Callers: a session, or a key with the permission sender-ids:read.
   */
  list(query: ListSenderIdsQuery = {}, options: RequestOptions = {}): List<SenderId, ListSenderIdsResponse> {
    return this.transport.list(
      byCursor<ListSenderIdsResponse>(),
      { method: 'GET', path: '/api/v1/sender-ids', query },
      options,
    );
  }

  /**
   * Requests the approval of a sender ID.
   *
   * `POST /api/v1/sender-ids`. Callers: a session, or a key with the permission sender-ids:write.
   */
  async request(body: SenderIdInput, options: RequestOptions = {}): Promise<SenderId> {
    return this.transport.json({ method: 'POST', path: '/api/v1/sender-ids', body }, options);
  }

  /**
   * Resubmits a rejected sender ID.
   *
   * `PATCH /api/v1/sender-ids/{senderId}`. Callers: a session, or a key with the permission sender-ids:write.
   */
  async resubmit(senderId: string, body: SenderIdInput, options: RequestOptions = {}): Promise<SenderId> {
    return this.transport.json(
      { method: 'PATCH', path: path`/api/v1/sender-ids/${senderId}`, body },
      options,
    );
  }

  /**
   * Deletes a sender ID that is not approved.
   *
   * `DELETE /api/v1/sender-ids/{senderId}`. Callers: a session, or a key with the permission sender-ids:write.
   */
  async delete(
    senderId: string,
    query: DeleteSenderIdQuery = {},
    options: RequestOptions = {},
  ): Promise<void> {
    return this.transport.empty(
      { method: 'DELETE', path: path`/api/v1/sender-ids/${senderId}`, query },
      options,
    );
  }
}

export class SuppressionsResource extends Resource {
  /**
   * Lists the suppressed numbers, newest first.
   *
   * `GET /api/v1/suppressions`. Callers: a session, or a key with the permission contacts:read.
   */
  list(
    query: ListSuppressionsQuery = {},
    options: RequestOptions = {},
  ): List<Suppression, ListSuppressionsResponse> {
    return this.transport.list(
      byCursor<ListSuppressionsResponse>(),
      { method: 'GET', path: '/api/v1/suppressions', query },
      options,
    );
  }

  /**
   * Puts a number on the suppression list.
   *
   * `POST /api/v1/suppressions`. Callers: a session, or a key with the permission contacts:write.
   */
  async create(body: SuppressionInput, options: RequestOptions = {}): Promise<Suppression> {
    return this.transport.json({ method: 'POST', path: '/api/v1/suppressions', body }, options);
  }

  /**
   * Removes one entry, or all entries of a number, from the suppression list.
   *
   * `DELETE /api/v1/suppressions/{suppressionId}`. Callers: a session, or a key with the permission contacts:write.
   */
  async delete(
    suppressionId: string,
    query: UnsuppressNumberQuery = {},
    options: RequestOptions = {},
  ): Promise<void> {
    return this.transport.empty(
      { method: 'DELETE', path: path`/api/v1/suppressions/${suppressionId}`, query },
      options,
    );
  }
}

export class PrivacyResource extends Resource {
  /**
   * Returns how long the organization keeps personal data, and what was discarded so far.
   *
   * `GET /api/v1/privacy/retention`. Callers: the session of an owner or admin.
   */
  async getRetention(query: GetRetentionQuery = {}, options: RequestOptions = {}): Promise<Retention> {
    return this.transport.json({ method: 'GET', path: '/api/v1/privacy/retention', query }, options);
  }

  /**
   * Sets how long the organization keeps personal data.
   *
   * `PUT /api/v1/privacy/retention`. Callers: the session of an owner or admin.
   */
  async setRetention(body: RetentionInput, options: RequestOptions = {}): Promise<Retention> {
    return this.transport.json({ method: 'PUT', path: '/api/v1/privacy/retention', body }, options);
  }

  /**
   * Lists the erasures of the organization, newest first.
   *
   * `GET /api/v1/privacy/erasures`. Callers: the session of an owner or admin.
   */
  listErasures(
    query: ListErasuresQuery = {},
    options: RequestOptions = {},
  ): List<Erasure, ListErasuresResponse> {
    return this.transport.list(
      byCursor<ListErasuresResponse>(),
      { method: 'GET', path: '/api/v1/privacy/erasures', query },
      options,
    );
  }

  /**
   * Erases the personal data of the person with a phone number.
   *
   * `POST /api/v1/privacy/erasures`. Callers: the session of an owner or admin.
   */
  async requestErasure(body: ErasureInput, options: RequestOptions = {}): Promise<Erasure> {
    return this.transport.json({ method: 'POST', path: '/api/v1/privacy/erasures', body }, options);
  }

  /**
   * Returns the progress of an erasure.
   *
   * `GET /api/v1/privacy/erasures/{erasureId}`. Callers: the session of an owner or admin.
   */
  async getErasure(
    erasureId: string,
    query: GetErasureQuery = {},
    options: RequestOptions = {},
  ): Promise<Erasure> {
    return this.transport.json(
      { method: 'GET', path: path`/api/v1/privacy/erasures/${erasureId}`, query },
      options,
    );
  }

  /**
   * Exports what the organization stores about the person with a phone number.
   *
   * `GET /api/v1/privacy/export`. Callers: the session of an owner or admin.
   */
  async exportPerson(query: ExportPersonQuery, options: RequestOptions = {}): Promise<PersonExport> {
    return this.transport.json({ method: 'GET', path: '/api/v1/privacy/export', query }, options);
  }

  /**
   * Returns whether a number has opted out, and how that came about.
   *
   * `GET /api/v1/privacy/consent`. Callers: the session of an owner or admin.
   */
  async getConsent(query: GetConsentQuery, options: RequestOptions = {}): Promise<Consent> {
    return this.transport.json({ method: 'GET', path: '/api/v1/privacy/consent', query }, options);
  }
}

export class InboundResource extends Resource {
  /**
   * Lists keyword rules, newest first.
   *
   * `GET /api/v1/inbound/keywords`. Callers: a session, or a key with the permission inbound:read.
   */
  listKeywords(
    query: ListInboundKeywordsQuery = {},
    options: RequestOptions = {},
  ): List<InboundKeyword, ListInboundKeywordsResponse> {
    return this.transport.list(
      byCursor<ListInboundKeywordsResponse>(),
      { method: 'GET', path: '/api/v1/inbound/keywords', query },
      options,
    );
  }

  /**
   * Creates a rule that replies to inbound messages.
   *
   * `POST /api/v1/inbound/keywords`. Callers: a session, or a key with the permission inbound:write.
   */
  async createKeyword(body: InboundKeywordInput, options: RequestOptions = {}): Promise<InboundKeyword> {
    return this.transport.json({ method: 'POST', path: '/api/v1/inbound/keywords', body }, options);
  }

  /**
   * Returns the rule that an inbound message with this text would match; stores and sends nothing.
   *
   * `POST /api/v1/inbound/keywords/test`. Callers: a session, or a key with the permission inbound:read.
   */
  async testKeywords(body: InboundKeywordTest, options: RequestOptions = {}): Promise<InboundKeywordMatch> {
    return this.transport.json({ method: 'POST', path: '/api/v1/inbound/keywords/test', body }, options);
  }

  /**
   * Changes a keyword rule.
   *
   * `PATCH /api/v1/inbound/keywords/{keywordId}`. Callers: a session, or a key with the permission inbound:write.
   */
  async updateKeyword(
    keywordId: string,
    body: InboundKeywordChange,
    options: RequestOptions = {},
  ): Promise<InboundKeyword> {
    return this.transport.json(
      { method: 'PATCH', path: path`/api/v1/inbound/keywords/${keywordId}`, body },
      options,
    );
  }

  /**
   * Deletes a keyword rule. Messages that it has replied to stay.
   *
   * `DELETE /api/v1/inbound/keywords/{keywordId}`. Callers: a session, or a key with the permission inbound:write.
   */
  async deleteKeyword(
    keywordId: string,
    query: DeleteInboundKeywordQuery = {},
    options: RequestOptions = {},
  ): Promise<void> {
    return this.transport.empty(
      { method: 'DELETE', path: path`/api/v1/inbound/keywords/${keywordId}`, query },
      options,
    );
  }

  /**
   * Lists inbound messages, newest first.
   *
   * `GET /api/v1/inbound/messages`. Callers: a session, or a key with the permission inbound:read.
   */
  listMessages(
    query: ListInboundMessagesQuery = {},
    options: RequestOptions = {},
  ): List<InboundMessage, ListInboundMessagesResponse> {
    return this.transport.list(
      byCursor<ListInboundMessagesResponse>(),
      { method: 'GET', path: '/api/v1/inbound/messages', query },
      options,
    );
  }

  /**
   * Lists the latest inbound message of each phone to each number, newest first.
   *
   * `GET /api/v1/inbound/conversations`. Callers: a session, or a key with the permission inbound:read.
   */
  listConversations(
    query: ListInboundConversationsQuery = {},
    options: RequestOptions = {},
  ): List<InboundMessage, ListInboundConversationsResponse> {
    return this.transport.list(
      byCursor<ListInboundConversationsResponse>(),
      { method: 'GET', path: '/api/v1/inbound/conversations', query },
      options,
    );
  }

  /**
   * Lists what the phone and the number of an inbound message wrote to each other, newest first.
   *
   * `GET /api/v1/inbound/messages/{messageId}/thread`. Callers: a session, or a key with the permission inbound:read.
   */
  listThread(
    messageId: string,
    query: ListInboundThreadQuery = {},
    options: RequestOptions = {},
  ): List<InboundThreadEntry, ListInboundThreadResponse> {
    return this.transport.list(
      byCursor<ListInboundThreadResponse>(),
      { method: 'GET', path: path`/api/v1/inbound/messages/${messageId}/thread`, query },
      options,
    );
  }

  /**
   * Processes a failed message once more, by the current rules.
   *
   * `POST /api/v1/inbound/messages/{messageId}/redrive`. Callers: a session, or a key with the permission inbound:write.
   */
  async redriveMessage(
    messageId: string,
    body?: RedriveInput,
    options: RequestOptions = {},
  ): Promise<InboundMessage> {
    return this.transport.json(
      { method: 'POST', path: path`/api/v1/inbound/messages/${messageId}/redrive`, body },
      options,
    );
  }
}

/** The resources of the API. */
export class Resources {
  readonly health: HealthResource;
  readonly messages: MessagesResource;
  readonly securityCodes: SecurityCodesResource;
  readonly messageSchedules: MessageSchedulesResource;
  readonly contacts: ContactsResource;
  readonly contactLists: ContactListsResource;
  readonly bulkSms: BulkSmsResource;
  readonly analytics: AnalyticsResource;
  readonly notifications: NotificationsResource;
  readonly apiKeys: ApiKeysResource;
  readonly auditEvents: AuditEventsResource;
  readonly auth: AuthResource;
  readonly admin: AdminResource;
  readonly organizations: OrganizationsResource;
  readonly webhookDeliveries: WebhookDeliveriesResource;
  readonly templates: TemplatesResource;
  readonly campaigns: CampaignsResource;
  readonly senderIds: SenderIdsResource;
  readonly suppressions: SuppressionsResource;
  readonly privacy: PrivacyResource;
  readonly inbound: InboundResource;

  constructor(transport: Transport) {
    this.health = new HealthResource(transport);
    this.messages = new MessagesResource(transport);
    this.securityCodes = new SecurityCodesResource(transport);
    this.messageSchedules = new MessageSchedulesResource(transport);
    this.contacts = new ContactsResource(transport);
    this.contactLists = new ContactListsResource(transport);
    this.bulkSms = new BulkSmsResource(transport);
    this.analytics = new AnalyticsResource(transport);
    this.notifications = new NotificationsResource(transport);
    this.apiKeys = new ApiKeysResource(transport);
    this.auditEvents = new AuditEventsResource(transport);
    this.auth = new AuthResource(transport);
    this.admin = new AdminResource(transport);
    this.organizations = new OrganizationsResource(transport);
    this.webhookDeliveries = new WebhookDeliveriesResource(transport);
    this.templates = new TemplatesResource(transport);
    this.campaigns = new CampaignsResource(transport);
    this.senderIds = new SenderIdsResource(transport);
    this.suppressions = new SuppressionsResource(transport);
    this.privacy = new PrivacyResource(transport);
    this.inbound = new InboundResource(transport);
  }
}

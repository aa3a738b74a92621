/**
 * The resource and the method of each operation in the client. They are a public interface: an operation that gets
 * another id or path keeps its method.
 */
export const methodNames: Record<string, string> = {
  getHealth: 'health.get',
  getLiveness: 'health.live',
  getReadiness: 'health.ready',

  sendMessage: 'messages.send',
  listMessages: 'messages.list',
  getMessage: 'messages.get',
  getMessageTimeline: 'messages.timeline',
  estimateMessage: 'messages.estimate',
  scheduleMessage: 'messages.schedule',

  listMessageSchedules: 'messageSchedules.list',
  changeMessageScheduleStatus: 'messageSchedules.changeStatus',
  deleteMessageSchedule: 'messageSchedules.delete',

  sendSecurityCode: 'securityCodes.send',
  verifySecurityCode: 'securityCodes.verify',

  listContacts: 'contacts.list',
  createContact: 'contacts.create',
  updateContact: 'contacts.update',
  deleteContact: 'contacts.delete',
  importContacts: 'contacts.import',
  getContactImport: 'contacts.getImport',
  downloadContactImportRejects: 'contacts.downloadImportRejects',
  exportContacts: 'contacts.export',
  requestContactVerification: 'contacts.requestVerification',
  confirmContactVerification: 'contacts.confirmVerification',

  listPhonebooks: 'contactLists.list',
  createPhonebook: 'contactLists.create',
  updatePhonebook: 'contactLists.update',
  deletePhonebook: 'contactLists.delete',
  listPhonebookMembers: 'contactLists.listMembers',
  replacePhonebookMembers: 'contactLists.replaceMembers',

  listSuppressions: 'suppressions.list',
  suppressNumber: 'suppressions.create',
  unsuppressNumber: 'suppressions.delete',

  listTemplates: 'templates.list',
  createTemplate: 'templates.create',
  updateTemplate: 'templates.update',
  deleteTemplate: 'templates.delete',

  listCampaigns: 'campaigns.list',
  createCampaign: 'campaigns.create',
  updateCampaign: 'campaigns.update',
  deleteCampaign: 'campaigns.delete',

  listBulkSms: 'bulkSms.list',
  sendBulkSms: 'bulkSms.create',
  estimateBulkSms: 'bulkSms.estimate',
  getBulkSms: 'bulkSms.get',
  cancelBulkSms: 'bulkSms.cancel',
  startBulkSms: 'bulkSms.start',
  pauseBulkSms: 'bulkSms.pause',
  resumeBulkSms: 'bulkSms.resume',
  changeBulkSmsRate: 'bulkSms.changeRate',
  listBulkSmsMessages: 'bulkSms.listMessages',
  exportBulkSmsMessages: 'bulkSms.exportMessages',
  streamBulkSms: 'bulkSms.stream',

  getAnalytics: 'analytics.get',
  exportAnalytics: 'analytics.export',

  listNotifications: 'notifications.list',
  readNotification: 'notifications.read',
  readAllNotifications: 'notifications.readAll',
  streamNotifications: 'notifications.stream',

  listApiKeys: 'apiKeys.list',
  createApiKey: 'apiKeys.create',
  updateApiKey: 'apiKeys.update',
  revokeApiKey: 'apiKeys.revoke',

  listAuditEvents: 'auditEvents.list',

  listWebhookDeliveries: 'webhookDeliveries.list',
  redriveWebhookDelivery: 'webhookDeliveries.redrive',

  listSenderIds: 'senderIds.list',
  requestSenderId: 'senderIds.request',
  resubmitSenderId: 'senderIds.resubmit',
  deleteSenderId: 'senderIds.delete',

  listInboundKeywords: 'inbound.listKeywords',
  createInboundKeyword: 'inbound.createKeyword',
  updateInboundKeyword: 'inbound.updateKeyword',
  deleteInboundKeyword: 'inbound.deleteKeyword',
  listInboundMessages: 'inbound.listMessages',
  redriveInboundMessage: 'inbound.redriveMessage',

  signUp: 'auth.signUp',
  signIn: 'auth.signIn',
  signInSocial: 'auth.signInSocial',
  getSignInOptions: 'auth.getSignInOptions',
  signOut: 'auth.signOut',
  getSession: 'auth.getSession',
  listSessions: 'auth.listSessions',
  revokeSession: 'auth.revokeSession',
  revokeSessions: 'auth.revokeSessions',
  revokeOtherSessions: 'auth.revokeOtherSessions',
  sendVerificationEmail: 'auth.sendVerificationEmail',
  verifyEmail: 'auth.verifyEmail',
  requestPasswordReset: 'auth.requestPasswordReset',
  resetPassword: 'auth.resetPassword',
  changePassword: 'auth.changePassword',
  updateUser: 'auth.updateUser',
  listAccounts: 'auth.listAccounts',
  linkSocial: 'auth.linkSocial',
  unlinkAccount: 'auth.unlinkAccount',

  createOrganization: 'organizations.create',
  updateOrganization: 'organizations.update',
  setActiveOrganization: 'organizations.setActive',
  listOrganizations: 'organizations.list',
  checkOrganizationSlug: 'organizations.checkSlug',
  getFullOrganization: 'organizations.getFull',
  listMembers: 'organizations.listMembers',
  getActiveMember: 'organizations.getActiveMember',
  getActiveMemberRole: 'organizations.getActiveMemberRole',
  updateMemberRole: 'organizations.updateMemberRole',
  removeMember: 'organizations.removeMember',
  leaveOrganization: 'organizations.leave',
  inviteMember: 'organizations.inviteMember',
  listOrganizationInvitations: 'organizations.listInvitations',
  cancelInvitation: 'organizations.cancelInvitation',
  listInvitations: 'organizations.listReceivedInvitations',
  getOrganizationLimits: 'organizations.getLimits',
  listUserInvitations: 'organizations.listUserInvitations',
  getInvitation: 'organizations.getInvitation',
  acceptInvitation: 'organizations.acceptInvitation',
  rejectInvitation: 'organizations.rejectInvitation',

  listAllAuditEvents: 'admin.listAuditEvents',
  redriveMessages: 'admin.redriveMessages',
  redriveWebhookDeliveries: 'admin.redriveWebhookDeliveries',
  listRedrives: 'admin.listRedrives',
  getRedrive: 'admin.getRedrive',
  cancelRedrive: 'admin.cancelRedrive',
  getPlatformSendingControls: 'admin.getPlatformSendingControls',
  changePlatformSendingControls: 'admin.changePlatformSendingControls',
  getSendingControls: 'admin.getSendingControls',
  changeSendingControls: 'admin.changeSendingControls',
  listAllWebhookDeliveries: 'admin.listWebhookDeliveries',
  redriveAnyWebhookDelivery: 'admin.redriveWebhookDelivery',
  listAllSenderIds: 'admin.listSenderIds',
  reviewSenderId: 'admin.reviewSenderId',
  listUnroutedMessages: 'admin.listInboundMessages',
  listUsers: 'admin.listUsers',
  getUser: 'admin.getUser',
  createUser: 'admin.createUser',
  setUserRole: 'admin.setRole',
  banUser: 'admin.banUser',
  unbanUser: 'admin.unbanUser',
  impersonateUser: 'admin.impersonateUser',
  stopImpersonating: 'admin.stopImpersonating',
  listUserSessions: 'admin.listUserSessions',
  revokeUserSession: 'admin.revokeUserSession',
  revokeUserSessions: 'admin.revokeUserSessions',
};

/** Operations that change nothing although they are a POST, so they may be repeated after any failure. */
export const harmlessOperations = [
  'estimateMessage',
  'estimateBulkSms',
  'checkOrganizationSlug',
  'listUserSessions',
];

/**
 * What the streams consist of, which the contract says in words: the event, the schema of its data, and the statuses
 * after which no event follows.
 */
export const streams: Record<string, { event: string; schema: string; lastStatuses?: string[] }> = {
  streamNotifications: { event: 'notification', schema: 'Notification' },
  streamBulkSms: {
    event: 'progress',
    schema: 'BulkSms',
    lastStatuses: ['completed', 'cancelled', 'failed'],
  },
};

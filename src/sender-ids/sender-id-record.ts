import type { Schemas } from '../http/contract/contract-types.ts';
import type { SenderId } from './sender-id.entity.ts';
import { classifySender } from './sender-value.ts';

/** A sender ID as its organization sees it. */
export type SenderIdRecord = Schemas['SenderId'];

export function toSenderIdRecord(
  sender: Omit<SenderId, 'organization'> & { organization: { id: string } },
): SenderIdRecord {
  const { id, value, status, isDefault, useCase, sampleMessage, website, reviewReason } = sender;
  const { requestedByKind: kind, requestedById } = sender;
  const classified = classifySender(value);
  const warnings = [
    classified.kind === 'alphanumeric' ? classified.warning : undefined,
    // A website is stored as given, and a reviewer may open it as a link.
    website !== null && isCode(website)
      ? 'The website is not an address but code that a browser would run. Do not open it.'
      : undefined,
  ];
  return {
    id,
    organizationId: sender.organization.id,
    value,
    status,
    isDefault,
    useCase,
    sampleMessage,
    website,
    warnings: warnings.filter((warning) => warning !== undefined),
    reviewReason,
    reviewedAt: sender.reviewedAt?.toISOString() ?? null,
    requestedBy: kind && requestedById ? { kind, id: requestedById } : null,
    createdAt: sender.createdAt.toISOString(),
  };
}

/** Browsers drop control characters and spaces before a scheme, and tabs and line breaks within it (URL standard, 4.4). */
function isCode(website: string): boolean {
  return /^(?:javascript|data|vbscript):/i.test(website.replace(/[\p{Cc}\s]/gu, ''));
}

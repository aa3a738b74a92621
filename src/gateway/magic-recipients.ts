/**
 * Recipients that make the simulator do what a gateway rarely does: one table, which the simulator obeys, the
 * tests walk through, and openapi.yaml's documentation of the test environment is made of.
 */

/** How one submission is answered. The words are those of kannelAnswers, but for the two that are cut. */
export type SimulatedAnswer =
  | 'accepted'
  | 'receiverDenied'
  | 'notRoutable'
  | 'temporalFailure'
  /** The message is taken, then the connection is closed without an answer. */
  | 'cutAfterTaking'
  /** The connection is closed without an answer, and the message is not taken. */
  | 'cutBeforeTaking';

export type SimulatedReport = {
  /** Kannel's dlr type: 1 delivered, 2 undelivered, 4 buffered, 8 taken by the SMSC, 16 refused by it. */
  type: number;
  /** Comes LATE_REPORT_SECONDS after the one before it, not at once. */
  late?: boolean;
};

export type Behaviour = {
  /** One for each submission of the same message; the last one also answers every further submission. */
  answers: readonly [SimulatedAnswer, ...SimulatedAnswer[]];
  /** What is reported of a message that was taken, in this order. */
  reports: readonly SimulatedReport[];
};

export type MagicRecipient = Behaviour & {
  /** E.164. */
  number: string;
  /** snake_case, stable. */
  name: string;
  /** A sentence for integrators. */
  description: string;
  /** Where the message ends: its status, and its errorCode when that is failed. */
  ends: { status: 'accepted' | 'sent' | 'delivered' | 'failed'; errorCode?: string };
};

export const LATE_REPORT_SECONDS = 30;

const taken = { type: 8 };
const delivered = { type: 1 };

/** What happens to a message to any other number. */
export const ordinaryBehaviour: Behaviour = { answers: ['accepted'], reports: [taken, delivered] };

const endsDelivered = { status: 'delivered' } as const;

export const magicRecipients: readonly MagicRecipient[] = [
  {
    number: '+251900000001',
    name: 'delivered',
    description: 'Sent, then delivered, at once. So is a message to any number that is not in this table.',
    ...ordinaryBehaviour,
    ends: endsDelivered,
  },
  {
    number: '+251900000002',
    name: 'undelivered',
    description: 'Sent, then reported as undelivered.',
    answers: ['accepted'],
    reports: [taken, { type: 2 }],
    ends: { status: 'failed', errorCode: 'undelivered' },
  },
  {
    number: '+251900000003',
    name: 'smsc_rejected',
    description: 'Accepted by the gateway, then refused by the SMSC.',
    answers: ['accepted'],
    reports: [{ type: 16 }],
    ends: { status: 'failed', errorCode: 'smsc_rejected' },
  },
  {
    number: '+251900000004',
    name: 'gateway_rejected',
    description: 'Refused by the gateway for good.',
    answers: ['receiverDenied'],
    reports: [],
    ends: { status: 'failed', errorCode: 'gateway_rejected' },
  },
  {
    number: '+251900000005',
    name: 'not_routable',
    description: 'Refused by the gateway for good: it has no route to the recipient.',
    answers: ['notRoutable'],
    reports: [],
    ends: { status: 'failed', errorCode: 'not_routable' },
  },
  {
    number: '+251900000006',
    name: 'no_report',
    description: 'Accepted, and never reported on: fails with dlr_timeout after 72 hours.',
    answers: ['accepted'],
    reports: [],
    ends: { status: 'accepted' },
  },
  {
    number: '+251900000007',
    name: 'late_report',
    description: `Sent at once, delivered ${LATE_REPORT_SECONDS} seconds later.`,
    answers: ['accepted'],
    reports: [taken, { type: 1, late: true }],
    ends: endsDelivered,
  },
  {
    number: '+251900000008',
    name: 'duplicate_reports',
    description: 'Sent and delivered, and each report comes twice.',
    answers: ['accepted'],
    reports: [taken, taken, delivered, delivered],
    ends: endsDelivered,
  },
  {
    number: '+251900000009',
    name: 'reports_out_of_order',
    description: 'The report of the delivery comes before the one that says the message was sent.',
    answers: ['accepted'],
    reports: [delivered, taken],
    ends: endsDelivered,
  },
  {
    number: '+251900000010',
    name: 'skipped_step',
    description: 'Delivered without a report that it was sent.',
    answers: ['accepted'],
    reports: [delivered],
    ends: endsDelivered,
  },
  {
    number: '+251900000011',
    name: 'buffered',
    description: 'Buffered by the SMSC first, then sent, then delivered.',
    answers: ['accepted'],
    reports: [{ type: 4 }, taken, delivered],
    ends: endsDelivered,
  },
  {
    number: '+251900000012',
    name: 'gateway_busy',
    description: 'The gateway is busy for the first two submissions and takes the third; then delivered.',
    answers: ['temporalFailure', 'temporalFailure', 'accepted'],
    reports: [taken, delivered],
    ends: endsDelivered,
  },
  {
    number: '+251900000013',
    name: 'answer_lost_taken',
    description: 'The gateway takes the message but its answer is lost; the reports show that it was taken.',
    answers: ['cutAfterTaking', 'accepted'],
    reports: [taken, delivered],
    ends: endsDelivered,
  },
  {
    number: '+251900000014',
    name: 'answer_lost_not_taken',
    description:
      'The connection breaks before the gateway takes the message. After a minute without a report it is ' +
      'submitted again, and taken.',
    answers: ['cutBeforeTaking', 'accepted'],
    reports: [taken, delivered],
    ends: endsDelivered,
  },
  {
    number: '+251900000015',
    name: 'unknown_report',
    description: 'A report of a type nobody knows comes first; it is ignored. Then sent and delivered.',
    answers: ['accepted'],
    reports: [{ type: 64 }, taken, delivered],
    ends: endsDelivered,
  },
];

const behaviours = new Map<string, Behaviour>(
  magicRecipients.map((recipient) => [recipient.number, recipient]),
);

/** @param number E.164; the plus may be missing */
export function behaviourOf(number: string): Behaviour {
  return behaviours.get(number.startsWith('+') ? number : `+${number}`) ?? ordinaryBehaviour;
}

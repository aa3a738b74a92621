/**
 * Recipients that make the simulator behave as a gateway rarely does. The simulator follows this table, the tests
 * iterate over it, and the documentation of the test environment in openapi.yaml is generated from it.
 */

/**
 * How the simulator responds to one submission. The names are those of kannelAnswers, except for the two that cut the
 * connection.
 */
export type SimulatedAnswer =
  | 'accepted'
  | 'receiverDenied'
  | 'notRoutable'
  | 'temporalFailure'
  /** The message is accepted, then the connection is closed without a response. */
  | 'cutAfterTaking'
  /** The connection is closed without a response, and the message is not accepted. */
  | 'cutBeforeTaking';

export type SimulatedReport = {
  /** Kannel's dlr type: 1 delivered, 2 undelivered, 4 buffered, 8 accepted by the SMSC, 16 rejected by the SMSC. */
  type: number;
  /** The report is sent LATE_REPORT_SECONDS after the previous one instead of at once. */
  late?: boolean;
};

export type Behaviour = {
  /** One for each submission of the same message. The last one also applies to every further submission. */
  answers: readonly [SimulatedAnswer, ...SimulatedAnswer[]];
  /** The reports for a message that was accepted, in this order. */
  reports: readonly SimulatedReport[];
};

export type MagicRecipient = Behaviour & {
  /** E.164. */
  number: string;
  /** snake_case, stable. */
  name: string;
  /** A sentence for integrators. */
  description: string;
  /** The final status of the message, and its errorCode if that status is failed. */
  ends: { status: 'accepted' | 'sent' | 'delivered' | 'failed'; errorCode?: string };
};

export const LATE_REPORT_SECONDS = 30;

const taken = { type: 8 };
const delivered = { type: 1 };

/** The behaviour for every other number. */
export const ordinaryBehaviour: Behaviour = { answers: ['accepted'], reports: [taken, delivered] };

const endsDelivered = { status: 'delivered' } as const;

export const magicRecipients: readonly MagicRecipient[] = [
  {
    number: '+251900000001',
    name: 'delivered',
    description: 'Sent, then delivered, at once. The same applies to any number that is not in this table.',
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
    description: 'Accepted by the gateway, then rejected by the SMSC.',
    answers: ['accepted'],
    reports: [{ type: 16 }],
    ends: { status: 'failed', errorCode: 'smsc_rejected' },
  },
  {
    number: '+251900000004',
    name: 'gateway_rejected',
    description: 'Refused by the gateway permanently.',
    answers: ['receiverDenied'],
    reports: [],
    ends: { status: 'failed', errorCode: 'gateway_rejected' },
  },
  {
    number: '+251900000005',
    name: 'not_routable',
    description: 'Refused by the gateway permanently: it has no route to the recipient.',
    answers: ['notRoutable'],
    reports: [],
    ends: { status: 'failed', errorCode: 'not_routable' },
  },
  {
    number: '+251900000006',
    name: 'no_report',
    description: 'Accepted, without any report: the message fails with dlr_timeout after 72 hours.',
    answers: ['accepted'],
    reports: [],
    ends: { status: 'accepted' },
  },
  {
    number: '+251900000007',
    name: 'late_report',
    description: `Sent at once, then delivered ${LATE_REPORT_SECONDS} seconds later.`,
    answers: ['accepted'],
    reports: [taken, { type: 1, late: true }],
    ends: endsDelivered,
  },
  {
    number: '+251900000008',
    name: 'duplicate_reports',
    description: 'Sent and delivered. Each report arrives twice.',
    answers: ['accepted'],
    reports: [taken, taken, delivered, delivered],
    ends: endsDelivered,
  },
  {
    number: '+251900000009',
    name: 'reports_out_of_order',
    description: 'The delivered report arrives before the sent report.',
    answers: ['accepted'],
    reports: [delivered, taken],
    ends: endsDelivered,
  },
  {
    number: '+251900000010',
    name: 'skipped_step',
    description: 'Delivered without a sent report.',
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
    description: 'The gateway is busy for the first two submissions and accepts the third. Then delivered.',
    answers: ['temporalFailure', 'temporalFailure', 'accepted'],
    reports: [taken, delivered],
    ends: endsDelivered,
  },
  {
    number: '+251900000013',
    name: 'answer_lost_taken',
    description:
      'The gateway accepts the message, but its response is lost. The reports show that it was accepted.',
    answers: ['cutAfterTaking', 'accepted'],
    reports: [taken, delivered],
    ends: endsDelivered,
  },
  {
    number: '+251900000014',
    name: 'answer_lost_not_taken',
    description:
      'The connection breaks before the gateway accepts the message. After a minute without a report the message is ' +
      'submitted again, and accepted.',
    answers: ['cutBeforeTaking', 'accepted'],
    reports: [taken, delivered],
    ends: endsDelivered,
  },
  {
    number: '+251900000015',
    name: 'unknown_report',
    description: 'A report of an unknown type arrives first and is ignored. Then sent and delivered.',
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

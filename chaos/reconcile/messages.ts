import type { Evidence, Finding, MessageRow } from '../evidence.ts';

/** Statuses in which a message has come to its end. */
export const finalStatuses: ReadonlySet<string> = new Set(['delivered', 'failed', 'cancelled']);
/** The failure of a message whose reports were lost. */
const withoutReport = 'dlr_timeout';

/** Each 202 is one stored message, and each stored message is final: delivered, or failed with a reason. */
export function reconcileMessages(evidence: Evidence): Finding[] {
  const { sends, rows } = evidence;
  const byId = new Map(rows.messages.map((row) => [row.id, row]));
  const byToken = Map.groupBy(rows.messages, ({ token }) => token);
  return [
    ...sends.flatMap(({ token, keyed, acceptedIds }): Finding[] => {
      const stored = byToken.get(token) ?? [];
      return [
        ...acceptedIds.flatMap((id) =>
          byId.has(id)
            ? []
            : [{ check: 'a 202 is a stored message', detail: `${id} (${token}) is not stored` }],
        ),
        ...(new Set(acceptedIds).size > 1
          ? [{ check: 'a key has one answer', detail: `${token} was answered for ${acceptedIds.join(', ')}` }]
          : []),
        ...(stored.length > 1
          ? [
              {
                check: keyed ? 'a key makes one message' : 'a request makes one message',
                detail: `${token} made ${stored.map(({ id }) => id).join(', ')}`,
              },
            ]
          : []),
      ];
    }),
    ...rows.messages.flatMap((row) => reconcileEnd(row)),
    ...reconcileOutcomes(evidence),
  ];
}

function reconcileEnd({ id, status, errorCode }: MessageRow): Finding[] {
  if (!finalStatuses.has(status)) {
    return [{ check: 'every stored message comes to its end', detail: `${id} is still ${status}` }];
  }
  if (status === 'failed' && errorCode === null) {
    return [{ check: 'a failed message has a reason', detail: `${id} has none` }];
  }
  return [];
}

/**
 * A message ends as its recipient ends messages, unless its reports were lost. A status that the gateway did not report
 * would be an invention.
 */
function reconcileOutcomes({ sends, rows, gateway }: Evidence): Finding[] {
  const endsOf = new Map(sends.map(({ token, ends }) => [token, ends]));
  const lost = new Set(gateway.reports.flatMap((report) => (report.lost ? [report.messageId] : [])));
  return rows.messages.flatMap(({ id, token, status, errorCode }): Finding[] => {
    // Messages of schedules, batches and replies go to ordinary numbers.
    const ends = (token === null ? undefined : endsOf.get(token)) ?? { status: 'delivered' };
    const isAsExpected = status === ends.status && (errorCode ?? undefined) === ends.errorCode;
    const isWithoutReport = lost.has(id) && status === 'failed' && errorCode === withoutReport;
    if (isAsExpected || isWithoutReport || !finalStatuses.has(status)) return [];
    const expected = `${ends.status} ${ends.errorCode ?? ''}`.trim();
    return [
      {
        check: 'a message ends as the gateway reported',
        detail: `${id} is ${status} (${errorCode ?? 'no error'}), not ${expected}`,
      },
    ];
  });
}

/**
 * The gateway took each message that was accepted, once; it may have taken it more often only where the timeline shows a
 * doubt for each further time. The timeline shows each submission that the gateway saw.
 */
export function reconcileSubmissions({ rows, gateway }: Evidence): Finding[] {
  const attempts = rows.events.filter(({ kind }) => kind === 'submission_attempted');
  const attemptsOf = Map.groupBy(attempts, ({ messageId }) => messageId);
  return rows.messages.flatMap(({ id, acceptedAt }): Finding[] => {
    const [taken, submitted] = [gateway.taken.get(id) ?? 0, gateway.submitted.get(id) ?? 0];
    const ofMessage = attemptsOf.get(id) ?? [];
    const doubts = ofMessage.filter(({ details }) => details.possibleDuplicate === true).length;
    return [
      ...(acceptedAt !== null && taken === 0
        ? [{ check: 'an accepted message is at the gateway', detail: `${id} was never taken` }]
        : []),
      ...(taken > 1 + doubts
        ? [
            {
              check: 'a duplicate submission has a doubt on the timeline',
              detail: `${id} was taken ${taken} times, with ${doubts} doubts`,
            },
          ]
        : []),
      ...(submitted > ofMessage.length
        ? [
            {
              check: 'each submission is on the timeline',
              detail: `${id} was submitted ${submitted} times, with ${ofMessage.length} attempts`,
            },
          ]
        : []),
    ];
  });
}

const ranks: Record<string, number> = {
  queued: 0,
  accepted: 1,
  sent: 2,
  delivered: 3,
  failed: 3,
  cancelled: 3,
};

/** The timeline of a message goes forward, and ends with its status. */
export function reconcileTimelines({ rows }: Evidence): Finding[] {
  const eventsOf = Map.groupBy(rows.events, ({ messageId }) => messageId);
  return rows.messages.flatMap(({ id, status }): Finding[] => {
    const statuses = (eventsOf.get(id) ?? []).flatMap((event) => event.status ?? []);
    const isForward = statuses.every(
      (one, index) => index === 0 || ranks[one]! > ranks[statuses[index - 1]!]!,
    );
    return [
      ...(isForward
        ? []
        : [{ check: 'a status never goes back', detail: `${id} went ${statuses.join(', ')}` }]),
      ...(statuses.at(-1) === status
        ? []
        : [
            {
              check: 'the timeline ends with the status',
              detail: `${id} is ${status}, and its timeline ends with ${statuses.at(-1) ?? 'nothing'}`,
            },
          ]),
    ];
  });
}

/** The API knows each message that a delivery report names: it was committed before it was submitted. */
export function reconcileReports({ gateway }: Evidence): Finding[] {
  return gateway.reports.flatMap(({ messageId, type, answers }) =>
    answers.every((status) => status === 200)
      ? []
      : [
          {
            check: 'each delivery report is taken',
            detail: `report ${type} of ${messageId} was answered ${answers.join(', ')}`,
          },
        ],
  );
}

export type DeliveryReport =
  'delivered' | 'undelivered' | 'buffered' | 'smsc_accepted' | 'smsc_rejected' | 'unknown';

/**
 * Kannel's bits (its `gw/dlr.h`), in the order in which they are tested. Final ones come first, so that a value with
 * several bits never leaves a message waiting for a report that has already arrived. Among the final ones, delivered
 * comes first: some builds of Kannel add a bit to a failure (expired is 2 + 32), but none adds a bit to a success.
 *
 * 32 is an intermediate notification: an attempt to reach the handset failed and the SMSC continues to try. This is the
 * meaning of buffered.
 */
const reportByBit = [
  [1, 'delivered'],
  [2, 'undelivered'],
  [16, 'smsc_rejected'],
  [4, 'buffered'],
  [8, 'smsc_accepted'],
  [32, 'buffered'],
] as const satisfies [number, DeliveryReport][];

/** Any other bit makes the whole value unknown, because its effect on the other bits is undocumented. */
const knownBits = reportByBit.reduce((bits, [bit]) => bits | bit, 0);

/**
 * Classifies the `status` of a delivery report, which is Kannel's `%d`.
 *
 * Kannel prints a plain decimal integer. Anything else is `unknown`. So are 0 (nothing), -1 (undefined) and every value
 * with a bit that is not in the table, such as 99 with its 64. An unknown report never changes the message.
 */
export function classifyDeliveryReport(status: string): DeliveryReport {
  if (!/^[1-9]\d?$/.test(status)) return 'unknown';
  const value = Number(status);
  if ((value & ~knownBits) !== 0) return 'unknown';
  return reportByBit.find(([bit]) => (value & bit) !== 0)?.[1] ?? 'unknown';
}

export type DeliveryReport =
  'delivered' | 'undelivered' | 'buffered' | 'smsc_accepted' | 'smsc_rejected' | 'unknown';

/**
 * Kannel's bits (its `gw/dlr.h`), in the order they are tested: what is final comes first, so that a value
 * which carries more than one bit never leaves a message waiting for a report it already had. Of the final
 * ones, delivered comes first: some builds of Kannel qualify a failure by a further bit (expired is 2 + 32),
 * none qualifies a success.
 *
 * 32 is an intermediate notification: an attempt at the handset failed and the SMSC goes on trying. That is
 * what buffered means.
 */
const reportByBit = [
  [1, 'delivered'],
  [2, 'undelivered'],
  [16, 'smsc_rejected'],
  [4, 'buffered'],
  [8, 'smsc_accepted'],
  [32, 'buffered'],
] as const satisfies [number, DeliveryReport][];

/** Any other bit makes a value unknown as a whole: what it would say of the bits beside it, nobody has told. */
const knownBits = reportByBit.reduce((bits, [bit]) => bits | bit, 0);

/**
 * Reads the `status` of a delivery report, which is Kannel's `%d` (contract section 3).
 *
 * Kannel prints a plain decimal integer. Anything else is `unknown`, as are 0 (nothing), -1 (undefined) and
 * every value with a bit that is not in the table, as 99 with its 64: none may change the message.
 */
export function classifyDeliveryReport(status: string): DeliveryReport {
  if (!/^[1-9]\d?$/.test(status)) return 'unknown';
  const value = Number(status);
  if ((value & ~knownBits) !== 0) return 'unknown';
  return reportByBit.find(([bit]) => (value & bit) !== 0)?.[1] ?? 'unknown';
}

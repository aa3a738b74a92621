export type DeliveryReport =
  'delivered' | 'undelivered' | 'buffered' | 'smsc_accepted' | 'smsc_rejected' | 'unknown';

/**
 * Kannel's bits (its `gw/dlr.h`), in the order they are tested: what is final comes first, so that a value
 * which carries more than one bit never leaves a message waiting for a report it already had. Of the final
 * ones, delivered comes first: some builds of Kannel qualify a failure by a further bit (expired is 2 + 32,
 * unknown is 2 + 64), none qualifies a success.
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

/** The highest value any Kannel is known to send has the bits 1 to 64. */
const highestValue = 127;

/**
 * Reads the `status` of a delivery report, which is Kannel's `%d` (contract section 3).
 *
 * Kannel prints a plain decimal integer. Anything else is `unknown`, as are 0 (nothing), -1 (undefined), bits
 * above 64, and 64 alone: none of them says what became of the message, so none may change it.
 */
export function classifyDeliveryReport(status: string): DeliveryReport {
  if (!/^[1-9]\d{0,2}$/.test(status)) return 'unknown';
  const value = Number(status);
  if (value > highestValue) return 'unknown';
  return reportByBit.find(([bit]) => (value & bit) !== 0)?.[1] ?? 'unknown';
}

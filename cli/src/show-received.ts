import type { Output } from './output.ts';
import type { Received } from './webhook-receiver.ts';

/** Writes a received webhook: one line, or one line of JSON. */
export function showReceived(output: Output, received: Received): void {
  const at = new Date().toISOString();
  if (received.outcome === 'refused') {
    output.event(
      { at, ...received },
      () => `${at}  ${output.paint('red', 'refused')}  ${received.reason}: ${received.detail}`,
    );
    return;
  }
  const { event, isRepeated, forwardStatus } = received;
  output.event({ at, ...received }, () => {
    const subject = 'inReplyToMessageId' in event.data ? event.data.from : event.data.to;
    const forwarded = forwardStatus === undefined ? '' : `  forwarded: ${forwardStatus ?? 'no answer'}`;
    return (
      `${at}  ${output.paint('green', 'verified')}  ${event.event}  ${event.data.id}  ${subject}` +
      `${isRepeated ? '  (repeated)' : ''}${forwarded}`
    );
  });
}

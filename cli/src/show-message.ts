import type { Message } from 'sms-service-client';
import type { Colour, Output } from './output.ts';

const statusColours: Record<Message['status'], Colour> = {
  queued: 'dim',
  accepted: 'cyan',
  sent: 'cyan',
  delivered: 'green',
  failed: 'red',
  cancelled: 'yellow',
};

/** The status of a message, coloured. */
export function paintStatus(output: Output, status: Message['status']): string {
  return output.paint(statusColours[status], status);
}

/** A text on one line, shortened to a width. */
export function shorten(text: string, width = 40): string {
  const characters = Array.from(text.replace(/\s+/g, ' '));
  return characters.length <= width ? characters.join('') : `${characters.slice(0, width - 1).join('')}…`;
}

/** `1 segment`, `2 segments`. */
export function countOf(count: number, singular: string, plural = `${singular}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? singular : plural}`;
}

/** The fields of a message, for people. */
export function describeMessage(output: Output, message: Message): [string, string][] {
  const { errorCode, errorMessage } = message;
  return [
    ['id', message.id],
    ['status', paintStatus(output, message.status)],
    ['to', message.to],
    ['from', message.from],
    ['text', message.text],
    ['segments', String(message.segments)],
    ['environment', message.environment],
    ['created', message.createdAt],
    ...(errorCode === null
      ? []
      : [['error', `${errorCode}: ${errorMessage ?? ''}`] satisfies [string, string]]),
  ];
}

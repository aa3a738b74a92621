import { normalizeText } from './normalize-text.ts';

/** What a recipient requests with one of the words below. */
export type OptOutRequest = 'stop' | 'start';

/** The words, and the language in which each is confirmed. */
const words: readonly { word: string; request: OptOutRequest; language: keyof typeof confirmations }[] = [
  { word: 'STOP', request: 'stop', language: 'english' },
  { word: 'UNSUBSCRIBE', request: 'stop', language: 'english' },
  { word: 'END', request: 'stop', language: 'english' },
  { word: 'QUIT', request: 'stop', language: 'english' },
  { word: 'CANCEL', request: 'stop', language: 'english' },
  { word: 'አቁም', request: 'stop', language: 'amharic' },
  { word: 'START', request: 'start', language: 'english' },
];

/** The confirmations. Each fits into one segment. */
const confirmations = {
  english: {
    stop: 'You have been unsubscribed and will get no more messages. Reply START to get them again.',
    stopAlone: 'You have been unsubscribed and will get no more messages.',
    start: 'You will get messages again. Reply STOP to end them.',
  },
  amharic: {
    stop: 'ከዚህ በኋላ መልእክት አይደርስዎትም። እንደገና ለመጀመር START ይላኩ።',
    stopAlone: 'ከዚህ በኋላ መልእክት አይደርስዎትም።',
    start: 'መልእክቶች እንደገና ይደርስዎታል። ለማቆም አቁም ይላኩ።',
  },
} as const;

export interface OptOut {
  request: OptOutRequest;
  confirmation: string;
  /** The confirmation if an operator has the phone on the suppression list, so that START would have no effect. */
  confirmationIfSuppressedByOperator: string;
}

/** Recognizes a text that consists of one of these words only, in any case and with any punctuation around it. */
export function readOptOut(text: string): OptOut | null {
  const bare = bareWord(text);
  const found = words.find(({ word }) => normalizeText(word) === bare);
  if (!found) return null;
  const { stop, stopAlone, start } = confirmations[found.language];
  return found.request === 'stop'
    ? { request: 'stop', confirmation: stop, confirmationIfSuppressedByOperator: stopAlone }
    : { request: 'start', confirmation: start, confirmationIfSuppressedByOperator: start };
}

/** Returns a text, normalized, without the punctuation, symbols and space around it. */
function bareWord(text: string): string {
  return normalizeText(text).replace(/^[\p{P}\p{S}\s]+|[\p{P}\p{S}\s]+$/gu, '');
}

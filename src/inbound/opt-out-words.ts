import { normalizeText } from './normalize-text.ts';

/** What a recipient asks for by one of the words below. */
export type OptOutRequest = 'stop' | 'start';

/** The words (contract section 6), and by which language each is confirmed. */
const words: readonly { word: string; request: OptOutRequest; language: keyof typeof confirmations }[] = [
  { word: 'STOP', request: 'stop', language: 'english' },
  { word: 'UNSUBSCRIBE', request: 'stop', language: 'english' },
  { word: 'END', request: 'stop', language: 'english' },
  { word: 'QUIT', request: 'stop', language: 'english' },
  { word: 'CANCEL', request: 'stop', language: 'english' },
  { word: 'አቁም', request: 'stop', language: 'amharic' },
  { word: 'START', request: 'start', language: 'english' },
];

/** What is answered, in one segment each. */
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
  /** Where an operator has the phone on his list, so that START would bring nothing back. */
  confirmationIfHeld: string;
}

/** Reads a text that is such a word and nothing else, whatever its case and the punctuation around it. */
export function readOptOut(text: string): OptOut | null {
  const bare = bareWord(text);
  const found = words.find(({ word }) => normalizeText(word) === bare);
  if (!found) return null;
  const { stop, stopAlone, start } = confirmations[found.language];
  return found.request === 'stop'
    ? { request: 'stop', confirmation: stop, confirmationIfHeld: stopAlone }
    : { request: 'start', confirmation: start, confirmationIfHeld: start };
}

/** A text, folded, without the punctuation, symbols and space around it. */
function bareWord(text: string): string {
  return normalizeText(text).replace(/^[\p{P}\p{S}\s]+|[\p{P}\p{S}\s]+$/gu, '');
}

import type { Translation } from '../i18n/catalogue.ts';
import type { en } from './text.en.ts';

// Awaiting a native reader.
export const am: Translation<typeof en> = {
  range: 'ጊዜ',
  lastDays: { one: 'ያለፈው {count} ቀን', other: 'ያለፉት {count} ቀናት' },
  environment: 'አካባቢ',
  liveAndTest: 'እውነተኛና ሙከራ',
  live: 'እውነተኛ',
  test: 'ሙከራ',
};

import type { Translation } from '../i18n/catalogue.ts';
import type { en } from './text.en.ts';

// Awaiting a native reader.
export const am: Translation<typeof en> = {
  cancel: 'ተው',
  save: 'አስቀምጥ',
  delete: 'ሰርዝ',
};

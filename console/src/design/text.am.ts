import type { Translation } from '../i18n/catalogue.ts';
import type { en } from './text.en.ts';

// Awaiting a native reader.
export const am: Translation<typeof en> = {
  close: 'ዝጋ',
  copy: 'ቅዳ',
  copied: 'ተቀድቷል',
  retry: 'እንደገና ሞክር',
  loading: 'በመጫን ላይ',
  breadcrumbs: 'የገጽ መንገድ',
  pageTitle: '{title} · የኤስኤምኤስ ኮንሶል',
  requestId: 'ጥያቄ {id}',
  rows: { one: '{count} ረድፍ', other: '{count} ረድፎች' },
  notices: 'ማሳወቂያዎች',
  loadingMore: 'ተጨማሪ ረድፎች በመጫን ላይ',
};

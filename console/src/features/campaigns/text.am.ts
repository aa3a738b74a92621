import type { Translation } from '../../i18n/catalogue.ts';
import type { en } from './text.en.ts';

// Awaiting a native reader.
export const am: Translation<typeof en> = {
  title: 'ዘመቻዎች',
  hint: 'ዘመቻ የጅምላ መልእክቶችን ያሰባስባል፣ የራሱ ላኪም ሊኖረው ይችላል።',
  search: 'ስም ወይም መግለጫ ፈልግ',
  create: 'አዲስ ዘመቻ',
  edit: 'ዘመቻውን ቀይር',
  none: 'እስካሁን ዘመቻ የለም',
  noneHint: 'እዚህ ወይም ለብዙዎች ሲልኩ ይፍጠሩ።',
  noneMatch: 'የሚዛመድ ዘመቻ የለም',
  noneMatchHint: 'የስሙን ክፍል ይፈልጉ።',
  name: 'ስም',
  nameMissing: 'ስም ያስገቡ።',
  tooLong: 'ቢበዛ {count} ቁምፊዎች ይጠቀሙ።',
  description: 'መግለጫ',
  sender: 'ላኪ',
  defaultSender: 'ነባሪ ላኪ',
  status: 'ሁኔታ',
  statusHint: 'መላክ የሚችለው የሚሠራ ዘመቻ ብቻ ነው።',
  active: 'የሚሠራ',
  paused: 'የቆመ',
  archived: 'የተከማቸ',
  batches: 'የጅምላ መልእክቶች',
  messages: 'መልእክቶች',
  sendBatch: 'የጅምላ መልእክት ላክ',
  saved: '“{name}” ተቀምጧል',
  deleteTitle: '“{name}” ይሰረዝ?',
  deleteHint: 'የጅምላ መልእክት የለውም፣ ስለዚህ ሌላ የሚጠፋ ነገር የለም።',
  deleted: '“{name}” ተሰርዟል',
};

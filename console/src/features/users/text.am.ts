import type { Translation } from '../../i18n/catalogue.ts';
import type { en } from './text.en.ts';

// Awaiting a native reader.
export const am: Translation<typeof en> = {
  title: 'ተጠቃሚዎች',
  description: 'ወደዚህ አገልግሎት መግባት የሚችሉ ሁሉ።',
  find: 'አድራሻ ፈልግ',
  none: 'እንዲህ ያለ አድራሻ ያለው የለም',
  noneHint: 'በሌላ የአድራሻው ክፍል ይፈልጉ።',
  email: 'የኢሜይል አድራሻ',
  name: 'ስም',
  state: 'ሁኔታ',
  since: 'ከ',
  banned: 'ታግዷል',
  admin: 'አስተዳዳሪ',
  user: 'ተጠቃሚ',
  confirmed: 'ተረጋግጧል',
  notConfirmed: 'አልተረጋገጠም',
  id: 'መለያ',
  role: 'ሚና',
  address: 'አድራሻ',
  close: 'ዝጋ',
  ban: 'አግድ …',
  banTitle: '{name} ይታገድ?',
  banHint: 'ከሁሉም ቦታ ይወጣሉ፣ እገዳው እስኪነሳም መግባት አይችሉም።',
  banNow: 'አግድ',
  unban: 'እገዳውን አንሳ',
  bannedNow: '{name} ታግዷል፣ ክፍለ ጊዜዎቹም ሁሉ አብቅተዋል',
  unbannedNow: '{name} እንደገና መግባት ይችላል',
  impersonate: 'እንደዚህ ተጠቃሚ ሥራ',
  impersonateHint: 'ቢበዛ ለአንድ ሰዓት የሚያዩትን ያያሉ። መዝገቡ ይይዘዋል፣ በእያንዳንዱ ገጽ ላይም ይታያል።',
};

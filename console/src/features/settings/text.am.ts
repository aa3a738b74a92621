import type { Translation } from '../../i18n/catalogue.ts';
import type { en } from './text.en.ts';

// Awaiting a native reader.
export const am: Translation<typeof en> = {
  title: 'ቅንብሮች',
  description: 'ለመላው ድርጅት የሚሠራው።',
  organization: 'ድርጅት',
  name: 'ስም',
  nameMissing: 'ስም ያስገቡ።',
  nameTooLong: 'ቢበዛ 100 ቁምፊዎች ይጠቀሙ።',
  timezone: 'የሰዓት ክልል',
  timezoneHint: 'ትንታኔው ቀኖችን በዚህ ክልል ይቆጥራል፣ አዲስ መርሐ ግብሮችም ይጠቀሙበታል። ያሉት መርሐ ግብሮች የራሳቸውን ይይዛሉ።',
  timezoneUnknown: 'ከዝርዝሩ ክልል ይምረጡ፣ ለምሳሌ Africa/Addis_Ababa።',
  localTime: 'አሁን {time}',
  address: 'በኮንሶሉ ውስጥ ያለ አድራሻ',
  identifier: 'የድርጅቱ መለያ',
  save: 'አስቀምጥ',
  saved: 'ቅንብሮቹ ተቀምጠዋል',
  limits: 'ገደቦች',
  limitsHint: 'የአገልግሎቱ አስተዳዳሪ ያስቀምጣቸዋል። ከገደብ ያለፈ ጥያቄ በኮድ 429 ውድቅ ይደረጋል።',
  requests: 'ጥያቄዎች፣ ሁሉም ቁልፎችና ሰዎች',
  requestsOfCaller: 'ጥያቄዎች፣ አንድ ቁልፍ ወይም ሰው',
  perMinute: 'በደቂቃ {count}',
  invitations: 'የአንድ ሰው ግብዣዎች',
  perDay: 'በቀን {count}',
  codes: 'ለአንድ ቁጥር የሚላኩ የደህንነት ኮዶች',
  codesIn: 'በ{minutes} ደቂቃ {codes}',
  retention: 'ማቆያ',
  retentionText:
    'ከዚህ የቆየ መረጃ በቀን አንድ ጊዜ ይወገዳል፣ መመለስም አይቻልም። ሁኔታዎች፣ ጊዜያትና ትንታኔዎች ይቀራሉ። መረጃው እንዲቆይ መስኩን ባዶ ይተዉት።',
  textDays: 'የመልእክት ጽሑፎች፣ በቀናት',
  numberDays: 'በመልእክቶች ያሉ ቁጥሮች፣ በቀናት',
  inboundDays: 'ገቢ መልእክቶች፣ በቀናት',
  webhookBodyDays: 'የዌብሁክ ይዘቶች፣ በቀናት',
  daysInvalid: 'ከ7 እስከ 3650 ያሉ ቀናትን ያስገቡ፣ ወይም ባዶ ይተዉት።',
  saveRetention: 'ማቆያውን ያስቀምጡ',
  retentionSaved: 'ማቆያው ተቀምጧል',
};

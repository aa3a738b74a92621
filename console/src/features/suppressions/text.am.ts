import type { Translation } from '../../i18n/catalogue.ts';
import type { en } from './text.en.ts';

// Awaiting a native reader.
export const am: Translation<typeof en> = {
  title: 'የታገዱ ቁጥሮች',
  hint: 'መልእክት የማይላክላቸው ቁጥሮች። የደህንነት ኮዶች ግን ይላካሉ፣ እያንዳንዳቸው ስለሚጠየቁ።',
  search: 'ቁጥር ፈልግ',
  add: 'ቁጥር ጨምር',
  addHint: 'ከአሁን ጀምሮ ወደ እሱ የሚላኩ መልእክቶች አይቀበሉም፣ የሚጠብቁትም አይላኩም።',
  added: '{number} ከእንግዲህ መልእክት አያገኝም',
  none: 'የታገደ ቁጥር የለም',
  noneHint: 'STOP የሚልኩ ተቀባዮች በራሳቸው እዚህ ይታያሉ። በሌላ መንገድ የሚጠይቁትን ይጨምሩ።',
  noneMatch: 'የሚዛመድ ቁጥር የለም',
  noneMatchHint: 'ይህ ቁጥር መልእክት ሊያገኝ ይችላል።',
  phoneNumber: 'ቁጥር',
  numberLength: 'ከ8 እስከ 16 ቁምፊዎች ያሉት ቁጥር ያስገቡ።',
  reason: 'ምክንያት',
  reasonHint: 'ለምን እዚህ እንዳለ በኋላ ለሚጠይቁ።',
  reasonLength: 'ቢበዛ 500 ቁምፊዎች ይጠቀሙ።',
  source: 'የጨመረው',
  source_operator: 'የእርስዎ ቡድን',
  source_recipient: 'ተቀባዩ',
  created: 'የተጨመረው',
  actions: 'ተግባራት',
  removeNumber: '{number}ን ከዝርዝሩ አስወግድ',
  removeTitle: 'ለ{number} እንደገና ይላክ?',
  removeHint: 'ተቀባዩ ራሱ STOP ካልላከ በቀር እንደገና መልእክት ሊያገኝ ይችላል።',
  removeHintRecipient: 'ተቀባዩ STOP ልኳል። ከዚያ በኋላ መልእክት ከጠየቀ ብቻ ያስወግዱት።',
  remove: 'ከዝርዝሩ አስወግድ',
  removed: '{number} እንደገና መልእክት ሊያገኝ ይችላል',
};

import type { Translation } from './catalogue.ts';
import type { en } from './error-text.en.ts';

// Awaiting a native reader.
export const am: Translation<typeof en> = {
  offlineTitle: 'አገልግሎቱን ማግኘት አልተቻለም',
  offlineDetail: 'ግንኙነትዎን ያረጋግጡ። ያስገቡት ምንም ነገር አልጠፋም።',
  unexpectedTitle: 'በዚህ ገጽ ላይ ችግር ተፈጥሯል',
  unexpectedDetail: 'ገጹን እንደገና ይጫኑ። ችግሩ ከቀጠለ ለአገልግሎቱ አስተዳዳሪ ይንገሩ።',
  rateLimitedTitle: 'ብዙ ሙከራዎች ተደርገዋል',
  rateLimitedDetail: '{seconds} ሰከንዶች ይጠብቁና እንደገና ይሞክሩ።',
  wrongPasswordTitle: 'አድራሻው ወይም የይለፍ ቃሉ ትክክል አይደለም',
  wrongPasswordDetail: 'ሁለቱንም ያረጋግጡ ወይም የይለፍ ቃሉን ይቀይሩ።',
  codeRequiredTitle: 'ይህ መለያ ኮድም ያስፈልገዋል',
  codeRequiredDetail: 'የማረጋገጫ መተግበሪያዎን ኮድ ወይም የመልሶ ማግኛ ኮድ ያስገቡ።',
  wrongCodeTitle: 'ኮዱ ትክክል አይደለም ወይም ጥቅም ላይ ውሏል',
  wrongCodeDetail: 'የመተግበሪያውን ቀጣይ ኮድ ይጠብቁ፣ የስልክዎ ሰዓትም ትክክል መሆኑን ያረጋግጡ።',
  invalidPasswordTitle: 'የይለፍ ቃሉ ትክክል አይደለም',
  invalidPasswordDetail: 'የሚገቡበትን የይለፍ ቃል ያስገቡ።',
  forbiddenTitle: 'ይህን ማየት አይችሉም',
  forbiddenDetail: 'ሚናዎ ይህን አያካትትም። የድርጅቱን ባለቤት ወይም አስተዳዳሪ ይጠይቁ።',
  notFoundTitle: 'እዚህ ምንም የለም',
  notFoundDetail: 'የለም ወይም የሌላ ድርጅት ነው።',
  signedOutTitle: 'ወጥተዋል',
  signedOutDetail: 'ለመቀጠል እንደገና ይግቡ።',
  invalidTitle: 'አንዳንድ ያስገቧቸው መረጃዎች ትክክል አይደሉም',
  serverTitle: 'አገልግሎቱ ችግር አለበት',
  refusedTitle: 'አገልግሎቱ ይህን አልተቀበለም',
};

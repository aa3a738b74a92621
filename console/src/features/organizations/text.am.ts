import type { Translation } from '../../i18n/catalogue.ts';
import type { en } from './text.en.ts';

// Awaiting a native reader.
export const am: Translation<typeof en> = {
  organizations: 'ድርጅቶች',
  switchOrganization: 'ድርጅት ቀይር',
  newOrganization: 'አዲስ ድርጅት',
  newOrganizationHint: 'መልእክቶች፣ ዕውቂያዎች፣ ቁልፎችና ሰዎች የአንድ ድርጅት ናቸው።',
  organizationName: 'ስም',
  organizationExample: 'ዓባይ ፖስታ',
  nameMissing: 'ስም ያስገቡ።',
  nameTooLong: 'ቢበዛ 100 ቁምፊዎች ይጠቀሙ።',
  slug: 'በኮንሶሉ ውስጥ ያለ አድራሻ',
  slugHint: 'የድርጅቱ ገጾች {address} ላይ ናቸው።',
  slugInvalid: 'ትንንሽ የላቲን ፊደላትና ቁጥሮች ይጠቀሙ፣ በመካከላቸው ነጠላ ሰረዝ።',
  createOrganization: 'ድርጅቱን ፍጠር',
  back: 'ተመለስ',
  signedInAs: 'በ{email} ገብተዋል።',
  signOut: 'ውጣ',
  invited: 'ተጋብዘዋል?',
  invitations: 'ግብዣዎችዎን ይመልከቱ',
};

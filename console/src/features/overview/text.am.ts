import type { Translation } from '../../i18n/catalogue.ts';
import type { en } from './text.en.ts';

// Awaiting a native reader.
export const am: Translation<typeof en> = {
  title: 'አጠቃላይ እይታ',
  send: 'መልእክት ላክ',
  loading: 'በመጫን ላይ',
  firstSteps: 'የመጀመሪያ እርምጃዎች',
  progress: 'ከ{all} {done} ተጠናቋል',
  done: 'ተጠናቋል',
  waiting: 'በሂደት ላይ',
  senderTitle: 'የላኪ ስም ያስጸድቁ',
  senderHint: 'ተቀባዮች የሚያዩት ስም ወይም ቁጥር። የአገልግሎቱ አስተዳዳሪ ይገመግመዋል።',
  senderWaiting: 'ተጠይቋል። አስተዳዳሪ ሲገመግመው ይነገርዎታል።',
  senderAction: 'የላኪ ስም ጠይቅ',
  keyTitle: 'የኤፒአይ ቁልፍ ይፍጠሩ',
  keyHint: 'ፕሮግራሞች በቁልፍ መልእክት ይልካሉ። የሙከራ ቁልፍ ወደ ሲሙሌተር ይልካል፣ ወደ ስልክ በፍጹም አይልክም።',
  keyAction: 'ቁልፍ ፍጠር',
  messageTitle: 'የመጀመሪያውን መልእክት ይላኩ',
  messageHint: 'ለራስዎ ይላኩና እስኪደርስ ድረስ ጉዞውን ይመልከቱ።',
  messageWaiting: 'መልእክቱ በመንገድ ላይ ነው። አንድ መልእክት ሲደርስ ይህ እርምጃ ይጠናቀቃል።',
  messageAction: 'መልእክት ላክ',
  webhookTitle: 'ዌብሁክ ይቀበሉ',
  webhookHint: 'አገልግሎቱ ስለ መልእክቶቹ እያንዳንዱ እርምጃ ለፕሮግራምዎ ይነግራል።',
  webhookAction: 'እንዴት እንደሚሠራ',
  webhookExplained: 'ከመልእክት ጋር አድራሻ ይጥቀሱ። አገልግሎቱ እያንዳንዱን እርምጃ በሚስጥሩ ፈርሞ ወደዚያ ይልካል።',
  webhookVerify: 'ፊርማውን እንዴት እንደሚያረጋግጡ፦',
  documentation: 'ሰነዶች',
  command: 'ትዕዛዝ',
  close: 'ዝጋ',
  newestMessages: 'የቅርብ ጊዜ መልእክቶች',
  allMessages: 'ሁሉም መልእክቶች',
};

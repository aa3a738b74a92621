import type { Translation } from '../../i18n/catalogue.ts';
import type { en } from './text.en.ts';

// Awaiting a native reader.
export const am: Translation<typeof en> = {
  title: 'ትንታኔ',
  csv: 'CSV አውርድ',
  loading: 'በመጫን ላይ',
  none: 'በዚህ ጊዜ መልእክት የለም',
  noneHint: 'ረዘም ያለ ጊዜ ይምረጡ ወይም መልእክት ይላኩ።',
  zone: 'ቀናቱ በድርጅቱ የሰዓት ክልል {zone} ናቸው።',
  messages: 'መልእክቶች',
  segmentsCount: { one: '{count} ክፍል', other: '{count} ክፍሎች' },
  segments: 'ክፍሎች',
  delivered: 'የደረሱ',
  failed: 'ያልተሳኩ',
  underWay: 'በመንገድ ላይ',
  rate: 'ውጤታቸው ከታወቀው {rate}',
  noRate: 'እስካሁን ውጤት አልታወቀም',
  cancelledCount: { one: '{count} ተሰርዟል', other: '{count} ተሰርዘዋል' },
  deliveryTimes: 'ግማሾቹ በ{median}፣ 95 %ቱ በ{p95} ይደርሳሉ',
  byDay: 'በቀን',
  day: 'ቀን',
  deliveryRate: 'የመድረስ መጠን',
  mostADay: { one: 'ከፍተኛው፦ {count} መልእክት', other: 'ከፍተኛው፦ {count} መልእክቶች' },
  bySender: 'በላኪ',
  byError: 'መልእክቶች ያልተሳኩበት ምክንያት',
  byCampaign: 'በዘመቻ',
};

import type { Translation } from '../../i18n/catalogue.ts';
import type { en } from './text.en.ts';

// Awaiting a native reader.
export const am: Translation<typeof en> = {
  title: 'የደህንነት ኮዶች',
  description: 'ስንት ኮዶች እንደተላኩ፣ እንደደረሱና በትክክል እንደገቡ።',
  loading: 'በመጫን ላይ',
  none: 'በዚህ ጊዜ ኮድ የለም',
  noneHint: 'ፕሮግራሞችዎ የሚልኳቸውና ዕውቂያዎችን የሚያረጋግጡ ኮዶች እዚህ ይቆጠራሉ።',
  zone: 'ቀኖቹ በድርጅቱ የሰዓት ክልል {zone} ናቸው።',
  funnel: 'ከኮድ እስከ ማረጋገጫ',
  conversion: 'ካበቁት ኮዶች የተረጋገጡት',
  codes: 'የተላኩ',
  delivered: 'የደረሱ',
  verified: 'የተረጋገጡ',
  expired: 'ጊዜያቸው ያለፈ',
  blocked: 'የታገዱ',
  superseded: 'የተተኩ',
  pending: 'አሁንም የሚሠሩ',
  notVerified: 'ያልተረጋገጡ',
  byDay: 'በቀን',
  day: 'ቀን',
  rate: 'ልወጣ',
  mostADay: { one: 'ከፍተኛው አሞሌ፦ {count} ኮድ', other: 'ከፍተኛው አሞሌ፦ {count} ኮዶች' },
  byCountry: 'በሀገር',
  unknownCountry: 'ያልታወቀ',
  rateOf: '{rate} ተረጋግጧል',
};

import type { Translation } from '../../i18n/catalogue.ts';
import type { en } from './text.en.ts';

// Awaiting a native reader.
export const am: Translation<typeof en> = {
  title: 'ማሳወቂያዎች',
  unreadCount: { one: 'ማሳወቂያዎች፣ {count} ያልተነበበ', other: 'ማሳወቂያዎች፣ {count} ያልተነበቡ' },
  show: 'አሳይ',
  all: 'ሁሉም',
  unread: 'ያልተነበቡ',
  readAll: 'ሁሉንም እንደተነበበ ምልክት አድርግ',
  allRead: { one: '{count} ማሳወቂያ ተነቧል', other: '{count} ማሳወቂያዎች ተነበዋል' },
  markRead: 'እንደተነበበ ምልክት አድርግ',
  isRead: 'ተነቧል',
  isNew: 'አዲስ',
  none: 'እስካሁን ማሳወቂያ የለም',
  noneUnread: 'ሁሉንም አንብበዋል',
  noneHint: 'ላኪ ሲገመገም፣ ስብስብ ሲያልቅ፣ የጊዜ ሰሌዳ ሲታለፍ፣ ዌብሁክ ሲቋረጥ ወይም ጥቂት የደህንነት ኮዶች ብቻ ሲረጋገጡ እዚህ ይነገርዎታል።',
  more: 'የቆዩትን አሳይ',
  look: 'ተመልከት',
  sender_id_reviewed: 'ላኪ ተገምግሟል',
  batch_completed: 'ስብስብ ተጠናቋል',
  batch_failed: 'ስብስብ አልተሳካም',
  schedule_missed: 'የጊዜ ሰሌዳ ታልፏል',
  webhook_dead: 'ዌብሁክ ተቋርጧል',
  inbound_failed: 'የገባ መልእክት አልተሳካም',
  security_codes_unverified: 'ያልተረጋገጡ ኮዶች',
  invitation_received: 'ግብዣ',
};

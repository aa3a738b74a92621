import type { Translation } from '../../i18n/catalogue.ts';
import type { en } from './text.en.ts';

// Awaiting a native reader.
export const am: Translation<typeof en> = {
  organizations: 'ድርጅቶች',
  organizationsHint: 'የአገልግሎቱ ሁሉም ድርጅቶች። ያልተሳኩ መልእክቶቹን ለማየት አንዱን ይክፈቱ።',
  findOrganization: 'ስም ወይም አድራሻ ፈልግ',
  noOrganization: 'የሚዛመድ ድርጅት የለም',
  noOrganizationHint: 'የስሙን ወይም የአድራሻውን ክፍል ይፈልጉ።',
  name: 'ስም',
  slug: 'አድራሻ',
  id: 'መለያ',
  members: 'አባላት',
  created: 'የተፈጠረ',
  failedMessages: 'ያልተሳኩ መልእክቶች',
  failedHint: 'የሁሉም ድርጅቶች፣ አዲሱ ቀድሞ፣ ያለ ጽሑፋቸው።',
  allOrganizations: 'ሁሉም ድርጅቶች',
  redrive: 'እንደገና ላክ …',
  noneFailed: 'ያልተሳካ መልእክት የለም',
  noneFailedHint: 'ጌትዌዩ ወይም አጓጓዡ ያልተቀበላቸው መልእክቶች ወዲያውኑ እዚህ ይታያሉ።',
  organization: 'ድርጅት',
  recipient: 'ተቀባይ',
  sender: 'ላኪ',
  errorCode: 'የስህተት ኮድ',
  failedAt: 'ያልተሳካበት',
  environment: 'አካባቢ',
  live: 'ቀጥታ',
  test: 'ሙከራ',
  batch: 'የጅምላ መልእክት',
  workflow: 'የሥራ ፍሰት',
  close: 'ዝጋ',
  inTemporal: '(በTemporal ድር፣ አዲስ ትር)',
};

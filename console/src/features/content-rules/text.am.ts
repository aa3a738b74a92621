import type { Translation } from '../../i18n/catalogue.ts';
import type { en } from './text.en.ts';

// Awaiting a native reader.
export const am: Translation<typeof en> = {
  title: 'ስለ ጽሑፎች ደንቦች',
  description: 'ደንብ የሚከለክለው ጽሑፍ ያለው ቀጥታ መልእክት አይላክም። ላኪው ምክንያቱ ይነገረዋል።',
  create: 'አዲስ ደንብ',
  none: 'እስካሁን ደንብ የለም',
  noneHint: 'ደንቦች ሐረጎችን፣ እንዲሁም ወደሚጠቅሷቸው ወይም ወደ ሌሎች ሁሉ አስተናጋጆች የሚወስዱ አገናኞችን ይከለክላሉ።',
  kind: 'የሚከለክለው',
  kind_contains: 'ሐረግ ያለባቸውን ጽሑፎች',
  kind_link_in: 'ወደ እነዚህ አስተናጋጆች አገናኞችን',
  kind_link_not_in: 'ወደ ሌሎች አስተናጋጆች አገናኞችን',
  values: 'ሐረጎች ወይም አስተናጋጆች',
  valuesHint: 'በየመስመሩ አንድ። ሐረግ እንደ ሙሉ ቃላት ይፈለጋል። አስተናጋጅ በሥሩ ያሉትንም ያካትታል።',
  valuesInvalid: 'ከ1 እስከ 100 መስመሮች ያስገቡ፣ እያንዳንዳቸው ቢበዛ 100 ፊደላት።',
  reason: 'ምክንያት',
  reasonHint: 'መልእክቱ የተከለከለበት ላኪ ያነበዋል።',
  reasonInvalid: 'ከ1 እስከ 200 ፊደላት ያስገቡ።',
  scope: 'የሚመለከተው',
  everybody: 'ሁሉንም ድርጅቶች',
  organizationId: 'ድርጅት',
  organizationIdHint: 'መለያው። ባዶ ከሆነ ደንቡ ሁሉንም ድርጅቶች ይመለከታል።',
  idInvalid: 'የድርጅት መለያ UUID ነው።',
  changed: 'የተቀየረው',
  edit: 'ደንቡን ቀይር',
  saved: 'ደንቡ ተቀምጧል',
  deleteTitle: 'ይህ ደንብ ይሰረዝ?',
  deleteHint: 'የሚከለክላቸው ጽሑፎች እንደገና ይላካሉ። ያልተሳኩ መልእክቶች እንዳልተሳኩ ይቀራሉ።',
  deleted: 'ደንቡ ተሰርዟል',
};

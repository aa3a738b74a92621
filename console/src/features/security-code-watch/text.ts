import { createUseText } from '../../i18n/catalogue.ts';
import { am } from './text.am.ts';
import { en } from './text.en.ts';

export const useText = createUseText({ en, am });

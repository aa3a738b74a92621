import { createUseText } from './catalogue.ts';
import { am } from './error-text.am.ts';
import { en } from './error-text.en.ts';

export const useText = createUseText({ en, am });

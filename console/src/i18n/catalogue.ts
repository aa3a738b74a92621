import { useCallback } from 'react';
import { useLanguage, type Language } from './language.tsx';

/** A text, or its forms for one and for other numbers, chosen by the parameter `count`. `{name}` is a parameter. */
export type Text = string | { one: string; other: string };
export type Catalogue = Readonly<Record<string, Text>>;

/** A catalogue with the keys of another one. */
export type Translation<Original extends Catalogue> = Readonly<Record<keyof Original, Text>>;

type ParameterNames<Content> = Content extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParameterNames<Rest>
  : never;
type ParametersOf<Content> = Content extends { one: string; other: string }
  ? Record<'count' | ParameterNames<Content['one'] | Content['other']>, string | number>
  : Record<ParameterNames<Content>, string | number>;

/** Returns a text in the reader's language. The compiler requires the parameters that the English text has. */
export type Translate<Original extends Catalogue> = <Key extends keyof Original>(
  key: Key,
  ...parameters: keyof ParametersOf<Original[Key]> extends never ? [] : [ParametersOf<Original[Key]>]
) => string;

/** Creates the hook with which the components of one folder read their texts. */
export function createUseText<const Original extends Catalogue>(catalogues: {
  en: Original;
  am: Translation<Original>;
}): () => Translate<Original> {
  return () => {
    const { language } = useLanguage();
    return useCallback<Translate<Original>>(
      (key, ...[parameters = {}]) => fillIn(catalogues[language][key], parameters, language),
      [language],
    );
  };
}

function fillIn(text: Text, parameters: Record<string, string | number>, language: Language): string {
  const form = typeof text === 'string' ? text : text[formOf(Number(parameters['count']), language)];
  return form.replace(/\{(\w+)\}/g, (_placeholder, name: string) => {
    const value = parameters[name];
    return typeof value === 'number' ? new Intl.NumberFormat(language).format(value) : (value ?? '');
  });
}

function formOf(count: number, language: Language): 'one' | 'other' {
  return new Intl.PluralRules(language).select(count) === 'one' ? 'one' : 'other';
}

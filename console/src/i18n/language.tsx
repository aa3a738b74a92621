import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';

export const languages = ['en', 'am'] as const;
export type Language = (typeof languages)[number];

/** The names of the languages, each in its own language. */
export const languageNames: Record<Language, string> = { en: 'English', am: 'አማርኛ' };

const storageKey = 'console.language';

interface LanguageChoice {
  language: Language;
  setLanguage: (language: Language) => void;
}

const LanguageContext = createContext<LanguageChoice>({ language: 'en', setLanguage: () => undefined });

/** Provides the language that the reader has chosen, by default that of the browser. */
export function LanguageProvider({ children }: { children: ReactNode }): ReactNode {
  const [language, setLanguage] = useState(readLanguage);
  useEffect(() => {
    document.documentElement.lang = language;
    localStorage.setItem(storageKey, language);
  }, [language]);
  const choice = useMemo(() => ({ language, setLanguage }), [language]);
  return <LanguageContext value={choice}>{children}</LanguageContext>;
}

export function useLanguage(): LanguageChoice {
  return useContext(LanguageContext);
}

function readLanguage(): Language {
  const wanted = [localStorage.getItem(storageKey), ...navigator.languages];
  for (const tag of wanted) {
    const known = languages.find((language) => tag?.split('-')[0] === language);
    if (known !== undefined) return known;
  }
  return 'en';
}

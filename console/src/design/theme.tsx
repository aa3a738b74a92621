import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';

export const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

const storageKey = 'console.theme';

interface ThemeChoice {
  theme: Theme;
  setTheme: (theme: Theme) => void;
}

const ThemeContext = createContext<ThemeChoice>({ theme: 'system', setTheme: () => undefined });

/** Provides light or dark: what the reader has chosen, by default what their system prefers. */
export function ThemeProvider({ children }: { children: ReactNode }): ReactNode {
  const [theme, setTheme] = useState(readTheme);
  useEffect(() => {
    // theme.css gives each colour a value for both; the attribute only overrides the system's choice.
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(storageKey, theme);
  }, [theme]);
  const choice = useMemo(() => ({ theme, setTheme }), [theme]);
  return <ThemeContext value={choice}>{children}</ThemeContext>;
}

export function useTheme(): ThemeChoice {
  return useContext(ThemeContext);
}

function readTheme(): Theme {
  const stored = localStorage.getItem(storageKey);
  return themes.find((theme) => theme === stored) ?? 'system';
}

import { useEffect, type ReactNode } from 'react';
import icon from '../../icon.svg';
import { languageNames, languages, useLanguage } from '../../i18n/language.tsx';
import { useText } from './text.ts';

/** The frame of the pages before the sign-in. */
export function AuthPage({
  title,
  description,
  children,
  footer,
}: {
  title: string;
  description?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
}): ReactNode {
  const t = useText();
  useEffect(() => {
    document.title = `${title} · ${t('product')}`;
  }, [t, title]);
  return (
    <div className="flex min-h-dvh flex-col items-center justify-center gap-6 px-4 py-10 max-sm:justify-start">
      <div className="flex items-center gap-2.5">
        <img src={icon} alt="" className="size-8" />
        <span className="text-lg font-semibold tracking-tight">{t('product')}</span>
      </div>
      <main className="w-full max-w-sm rounded-lg border border-line bg-surface p-6 shadow-raised">
        <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
        {description !== undefined && <p className="mt-1 text-muted">{description}</p>}
        <div className="mt-5">{children}</div>
      </main>
      {footer !== undefined && <p className="text-muted">{footer}</p>}
      <LanguageChoice />
    </div>
  );
}

function LanguageChoice(): ReactNode {
  const { language, setLanguage } = useLanguage();
  return (
    <div className="flex gap-1">
      {languages.map((value) => (
        <button
          key={value}
          type="button"
          lang={value}
          aria-pressed={value === language}
          onClick={() => setLanguage(value)}
          className="rounded-md px-2 py-1 font-names text-sm text-muted hover:bg-hover aria-pressed:text-text aria-pressed:underline"
        >
          {languageNames[value]}
        </button>
      ))}
    </div>
  );
}

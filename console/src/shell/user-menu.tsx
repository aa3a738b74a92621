import { useMutation } from '@tanstack/react-query';
import { ChevronsUpDown, LogOut, ShieldCheck } from 'lucide-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { sms } from '../api.ts';
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../design/menu.tsx';
import { themes, useTheme } from '../design/theme.tsx';
import { useUser } from '../features/auth/session.ts';
import { languageNames, languages, useLanguage } from '../i18n/language.tsx';
import { useText } from './text.ts';

/** Who is signed in, the language, light or dark, and the sign-out. */
export function UserMenu(): ReactNode {
  const t = useText();
  const user = useUser();
  const navigate = useNavigate();
  const { theme, setTheme } = useTheme();
  const { language, setLanguage } = useLanguage();
  const signOut = useMutation({
    mutationFn: () => sms.auth.signOut(),
    // A new page holds nothing of this session in its memory.
    onSuccess: () => window.location.assign('/console/sign-in'),
  });
  const trigger = (
    <button
      type="button"
      className="flex w-full items-center gap-2.5 rounded-md p-2 text-left hover:bg-hover data-popup-open:bg-hover"
    >
      <span
        aria-hidden
        className="flex size-7 shrink-0 items-center justify-center rounded-full bg-accent-soft text-xs font-semibold text-accent"
      >
        {Array.from(user.name)[0]?.toUpperCase()}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block truncate text-sm font-medium">{user.name}</span>
        <span className="block truncate text-xs text-muted">{user.email}</span>
      </span>
      <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-muted" />
    </button>
  );
  return (
    <Menu trigger={trigger} align="start">
      <MenuChoice
        label={t('language')}
        value={language}
        onChange={setLanguage}
        options={languages.map((value) => ({
          value,
          // In a font of its own: the name alone must not load the one for Ethiopic.
          label: (
            <span lang={value} className="font-names">
              {languageNames[value]}
            </span>
          ),
        }))}
      />
      <MenuChoice
        label={t('theme')}
        value={theme}
        onChange={setTheme}
        options={themes.map((value) => ({ value, label: t(`theme_${value}`) }))}
      />
      <MenuSeparator />
      {user.role === 'admin' && (
        <MenuItem onSelect={() => void navigate({ to: '/admin/sender-ids' })}>
          <ShieldCheck aria-hidden />
          {t('administration')}
        </MenuItem>
      )}
      <MenuItem onSelect={() => signOut.mutate()}>
        <LogOut aria-hidden />
        {t('signOut')}
      </MenuItem>
    </Menu>
  );
}

import { LockKeyhole, LogOut, ShieldCheck } from 'lucide-react';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { MenuChoice, MenuItem, MenuSeparator } from '../design/menu.tsx';
import { themes, useTheme } from '../design/theme.tsx';
import { useUser } from '../features/auth/session.ts';
import { useSignOut } from '../features/auth/use-sign-out.ts';
import { languageNames, languages, useLanguage } from '../i18n/language.tsx';
import { useText } from './text.ts';

/** The language, light or dark, the account, and the sign-out. */
export default function UserMenuItems(): ReactNode {
  const t = useText();
  const user = useUser();
  const navigate = useNavigate();
  const { theme, setTheme } = useTheme();
  const { language, setLanguage } = useLanguage();
  const signOut = useSignOut();
  return (
    <>
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
      <MenuItem onSelect={() => void navigate({ to: '/account/security' })}>
        <LockKeyhole aria-hidden />
        {t('security')}
      </MenuItem>
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
    </>
  );
}

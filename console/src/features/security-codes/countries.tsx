import type { SecurityCodeAnalytics } from 'sms-service-client';
import type { ReactNode } from 'react';
import { Card } from '../../design/page.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useText } from './text.ts';

/** The codes by the country of their recipients. A country with few verifications may be one of fraud. */
export function Countries({ countries }: Pick<SecurityCodeAnalytics, 'countries'>): ReactNode {
  const t = useText();
  const format = useFormat();
  return (
    <Card title={t('byCountry')} className="">
      <ul className="divide-y divide-line">
        {countries.map(({ callingCode, counts: { codes, conversionRate } }) => (
          <li key={callingCode} className="flex items-center gap-3 px-4 py-2">
            <span className="min-w-0 flex-1 font-mono text-sm">
              {callingCode === null ? t('unknownCountry') : `+${callingCode}`}
            </span>
            <span className="text-sm text-muted tabular-nums">
              {conversionRate === null ? '–' : t('rateOf', { rate: format.percent(conversionRate) })}
            </span>
            <span className="w-20 text-right tabular-nums">{format.number(codes)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

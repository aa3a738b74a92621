import type { SecurityCodeCounts } from 'sms-service-client';
import type { ReactNode } from 'react';
import { Card } from '../../design/page.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useText } from './text.ts';

const steps = [
  { name: 'codes', look: 'bg-line-strong' },
  { name: 'delivered', look: 'bg-info' },
  { name: 'verified', look: 'bg-success' },
] as const;

const others = ['expired', 'blocked', 'superseded', 'pending'] as const;

/** How many codes come from one step to the next, and what became of the others. */
export function Funnel({ totals }: { totals: SecurityCodeCounts }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { codes, conversionRate } = totals;
  return (
    <Card title={t('funnel')}>
      <p className="mb-4">
        <span className="text-2xl font-semibold tabular-nums">
          {conversionRate === null ? '–' : format.percent(conversionRate)}
        </span>{' '}
        <span className="text-muted">{t('conversion')}</span>
      </p>
      <ul className="flex flex-col gap-2.5">
        {steps.map(({ name, look }) => (
          <li
            key={name}
            className="grid grid-cols-[4.5rem_minmax(0,1fr)_6rem] items-center gap-3 sm:grid-cols-[6rem_minmax(0,1fr)_7rem]"
          >
            <span className="text-sm">{t(name)}</span>
            <span aria-hidden className="h-6 overflow-hidden rounded-sm bg-sunken">
              <span
                className={`block h-full ${look}`}
                style={{ width: `${(totals[name] / codes) * 100}%` }}
              />
            </span>
            <span className="text-right text-sm tabular-nums">
              {format.number(totals[name])}{' '}
              <span className="text-muted">{format.percent(totals[name] / codes)}</span>
            </span>
          </li>
        ))}
      </ul>
      <dl className="mt-5 grid grid-cols-2 gap-4 border-t border-line pt-4 sm:grid-cols-4">
        {others.map((name) => (
          <div key={name}>
            <dt className="text-sm text-muted">{t(name)}</dt>
            <dd className="text-xl font-semibold tabular-nums">{format.number(totals[name])}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

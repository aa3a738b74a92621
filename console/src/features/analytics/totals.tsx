import type { AnalyticsTotals } from 'sms-service-client';
import type { ReactNode } from 'react';
import { useFormat } from '../../i18n/format.ts';
import { useText } from './text.ts';

/** The figures of the whole range. */
export function Totals({ totals }: { totals: AnalyticsTotals }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { messages, segments, delivered, failed, queued, accepted, sent, cancelled, deliveryRate } = totals;
  const { medianDeliveryMs, p95DeliveryMs } = totals;
  const unknown = '–';
  const figures = [
    { name: t('messages'), value: format.number(messages), more: t('segmentsCount', { count: segments }) },
    {
      name: t('delivered'),
      value: format.number(delivered),
      more: deliveryRate === null ? t('noRate') : t('rate', { rate: format.percent(deliveryRate) }),
    },
    { name: t('failed'), value: format.number(failed), more: t('cancelledCount', { count: cancelled }) },
    {
      name: t('underWay'),
      value: format.number(queued + accepted + sent),
      more: t('deliveryTimes', {
        median: medianDeliveryMs === null ? unknown : format.duration(medianDeliveryMs),
        p95: p95DeliveryMs === null ? unknown : format.duration(p95DeliveryMs),
      }),
    },
  ];
  return (
    <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      {figures.map(({ name, value, more }) => (
        <div key={name} className="rounded-lg border border-line bg-surface p-4 shadow-raised">
          <dt className="text-sm text-muted">{name}</dt>
          <dd className="mt-1 text-2xl font-semibold tabular-nums">{value}</dd>
          <dd className="mt-0.5 text-xs text-muted">{more}</dd>
        </div>
      ))}
    </dl>
  );
}

import type { Analytics } from 'sms-service-client';
import type { ReactNode } from 'react';
import { Card } from '../../design/page.tsx';
import { useFormat } from '../../i18n/format.ts';
import { useText } from './text.ts';

interface Row {
  name: string;
  messages: number;
  deliveryRate?: number | null;
}

/** The same messages by sender, by campaign and by the reason of failures. */
export function Breakdowns({ report }: { report: Analytics }): ReactNode {
  const t = useText();
  const { senders, campaigns, errorCodes } = report;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 lg:grid-cols-2">
      <Breakdown
        title={t('bySender')}
        rows={senders.map(({ sender, ...rest }) => ({ name: sender, ...rest }))}
      />
      {errorCodes.length > 0 && (
        <Breakdown
          title={t('byError')}
          rows={errorCodes.map(({ errorCode, messages }) => ({ name: errorCode, messages }))}
        />
      )}
      {campaigns.length > 0 && <Breakdown title={t('byCampaign')} rows={campaigns} />}
    </div>
  );
}

function Breakdown({ title, rows }: { title: string; rows: readonly Row[] }): ReactNode {
  const format = useFormat();
  return (
    <Card title={title} className="">
      <ul className="divide-y divide-line">
        {rows.map(({ name, messages, deliveryRate }) => (
          <li key={name} className="flex items-center gap-3 px-4 py-2">
            <span className="min-w-0 flex-1 truncate">{name}</span>
            {deliveryRate !== undefined && deliveryRate !== null && (
              <span className="text-sm text-muted">{format.percent(deliveryRate)}</span>
            )}
            <span className="w-20 text-right tabular-nums">{format.number(messages)}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

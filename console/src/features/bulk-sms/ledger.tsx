import type { BulkSms } from 'sms-service-client';
import type { ReactNode } from 'react';
import { classes } from '../../design/classes.ts';
import { useFormat } from '../../i18n/format.ts';
import { useText } from './text.ts';

type Ledger = BulkSms['ledger'];

/** The parts of a ledger, from what is done to what is not. Their sum is always its total. */
const ledgerParts = ['delivered', 'sent', 'accepted', 'queued', 'failed', 'cancelled'] as const;

const colours: Record<(typeof ledgerParts)[number], string> = {
  delivered: 'bg-success',
  sent: 'bg-info',
  accepted: 'bg-accent',
  queued: 'bg-line-strong',
  failed: 'bg-danger',
  cancelled: 'bg-warning',
};

/** The recipients of a batch by status, as one bar. */
export function LedgerBar({ ledger, className = 'h-2' }: { ledger: Ledger; className?: string }): ReactNode {
  const t = useText();
  const shown = ledgerParts.filter((part) => ledger[part] > 0);
  return (
    <div
      role="img"
      aria-label={shown.map((part) => `${t(`ledger_${part}`)} ${ledger[part]}`).join(', ') || t('noLedger')}
      className={classes('flex w-full gap-px overflow-hidden rounded-full bg-line', className)}
    >
      {shown.map((part) => (
        <span
          key={part}
          className={classes('min-w-0.5 transition-[flex-grow]', colours[part])}
          style={{ flexGrow: ledger[part], flexBasis: 0 }}
        />
      ))}
    </div>
  );
}

/** The ledger as a bar with its figures, and their sum. */
export function LedgerFigures({ ledger }: { ledger: Ledger }): ReactNode {
  const t = useText();
  const format = useFormat();
  return (
    <div>
      <LedgerBar ledger={ledger} className="h-3" />
      <dl className="mt-4 grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-4 lg:grid-cols-7">
        {ledgerParts.map((part) => (
          <div key={part}>
            <dt className="flex items-center gap-1.5 text-sm text-muted">
              <span aria-hidden className={classes('size-2 rounded-full', colours[part])} />
              {t(`ledger_${part}`)}
            </dt>
            <dd className="text-xl font-semibold tabular-nums" data-ledger={part}>
              {format.number(ledger[part])}
            </dd>
          </div>
        ))}
        <div className="lg:border-l lg:border-line lg:pl-4">
          <dt className="text-sm text-muted">{t('total')}</dt>
          <dd className="text-xl font-semibold tabular-nums" data-ledger="total">
            {format.number(ledger.total)}
          </dd>
        </div>
      </dl>
    </div>
  );
}

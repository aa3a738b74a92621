import { ScrollText } from 'lucide-react';
import type { AuditEvent } from 'sms-service-client';
import { useMemo, useState, type ReactNode } from 'react';
import { Copyable, CopyableBlock } from '../../design/copyable.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Facts } from '../../design/page.tsx';
import { EmptyState } from '../../design/states.tsx';
import type { Column } from '../../design/table.tsx';
import { useFormat } from '../../i18n/format.ts';
import type { ListQuery } from '../../records/list-query.ts';
import { List } from '../../records/list.tsx';
import { useList } from '../../records/use-list.ts';
import { useText } from './text.ts';

/** Audit events, newest first; a row opens the event. */
export function AuditTable({ query }: { query: ListQuery<AuditEvent> }): ReactNode {
  const t = useText();
  const [openId, setOpenId] = useState<string>();
  const list = useList(query);
  const columns = useColumns(setOpenId);
  const open = list.items.find(({ id }) => id === openId);
  const action = open?.action;
  return (
    <>
      <List
        list={list}
        label={t('title')}
        columns={columns}
        empty={<EmptyState icon={ScrollText} title={t('none')} description={t('noneHint')} />}
      />
      <Dialog
        isOpen={open !== undefined}
        onClose={() => setOpenId(undefined)}
        width="wide"
        title={action === undefined ? '' : t(`action_${action}`)}
      >
        {open !== undefined && <EventFacts event={open} />}
      </Dialog>
    </>
  );
}

function useColumns(open: (id: string) => void): Column<AuditEvent>[] {
  const t = useText();
  const format = useFormat();
  return useMemo(
    () => [
      {
        id: 'action',
        header: t('what'),
        cell: ({ id, action }) => (
          <button type="button" className="row-link" onClick={() => open(id)}>
            {t(`action_${action}`)}
          </button>
        ),
      },
      {
        id: 'actor',
        header: t('who'),
        width: 'w-52',
        isHiddenOnPhone: true,
        cell: ({ actor: { kind, id, name } }) => (
          <span className="text-sm text-muted">
            {t(`actor_${kind}`)} {name ?? (id !== null && <code>{`…${id.slice(-6)}`}</code>)}
          </span>
        ),
      },
      {
        id: 'subject',
        header: t('subject'),
        width: 'w-44',
        isHiddenOnPhone: true,
        cell: ({ subjectId }) => <code className="text-sm text-muted">{`…${subjectId.slice(-12)}`}</code>,
      },
      {
        id: 'at',
        header: t('when'),
        width: 'w-44 max-sm:w-24',
        align: 'end',
        cell: ({ at }) => (
          <time dateTime={at} title={format.dateTime(at)} className="text-sm text-muted">
            <span className="max-sm:hidden">{format.dateTime(at)}</span>
            <span className="sm:hidden">{format.ago(at)}</span>
          </time>
        ),
      },
    ],
    [format, open, t],
  );
}

function EventFacts({ event }: { event: AuditEvent }): ReactNode {
  const t = useText();
  const format = useFormat();
  const { id, at, actor, subjectId, organizationId, details } = event;
  const { kind } = actor;
  return (
    <div className="flex flex-col gap-4">
      <Facts
        facts={[
          { name: t('when'), value: format.dateTime(at) },
          {
            name: t('who'),
            value:
              actor.id === null ? (
                t(`actor_${kind}`)
              ) : (
                <Copyable value={actor.id} shown={`${t(`actor_${kind}`)} ${actor.name ?? actor.id}`} />
              ),
          },
          { name: t('subject'), value: <Copyable value={subjectId} /> },
          ...(organizationId === null
            ? []
            : [{ name: t('organization'), value: <Copyable value={organizationId} /> }]),
          { name: t('id'), value: <Copyable value={id} /> },
        ]}
      />
      {Object.keys(details).length > 0 && (
        <CopyableBlock label={t('details')} text={JSON.stringify(details, null, 2)} />
      )}
    </div>
  );
}

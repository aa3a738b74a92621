import { createColumnHelper, tableFeatures, useTable } from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useMemo, useState, type ReactNode } from 'react';
import { classes } from './classes.ts';
import { Skeleton } from './states.tsx';
import { useText } from './text.ts';

export interface Column<Row> {
  id: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** The classes of the width, for example `w-32`. Columns without it share the rest. */
  width?: string;
  /** Numbers are aligned at their end. */
  align?: 'start' | 'end';
  /** Left out on a phone, where only what identifies a row has room. */
  isHiddenOnPhone?: boolean;
}

interface TableProps<Row> {
  /** What the rows are, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowId: (row: Row) => string;
  /** Called when the reader comes near the last row. */
  onEnd?: (() => void) | undefined;
  isLoadingMore?: boolean;
}

const features = tableFeatures({});
const rowHeightPx = 44;
const rowsBeforeEnd = 10;

/**
 * A table of any number of rows, which scrolls with the page. Only the rows in view are in the document. A link in the
 * first cell with the class `row-link` makes the whole row lead to it.
 */
export function Table<Row extends object>(props: TableProps<Row>): ReactNode {
  const { label, columns, rows, rowId, onEnd, isLoadingMore = false } = props;
  const t = useText();
  const table = useTable({
    features,
    columns: useTableColumns(columns),
    data: rows,
    getRowId: rowId,
  });
  const tableRows = table.getRowModel().rows;
  const { body, virtualizer } = useRowsInView(tableRows.length, onEnd);
  const inView = virtualizer.getVirtualItems();
  const before = (inView[0]?.start ?? 0) - virtualizer.options.scrollMargin;
  const after = virtualizer.getTotalSize() - ((inView.at(-1)?.end ?? 0) - virtualizer.options.scrollMargin);

  return (
    <div className="rounded-lg border border-line bg-surface shadow-raised">
      <table
        aria-label={label}
        aria-rowcount={rows.length + 1}
        className="w-full table-fixed border-collapse"
      >
        <thead className="sticky top-(--shell-top) z-10">
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <th key={column.id} scope="col" className={cellLook(column, headerLook)}>
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          <Gap height={before} />
          {inView.map(({ index }) => {
            const row = tableRows[index];
            if (row === undefined) return null;
            return (
              <tr key={row.id} aria-rowindex={index + 2} className={rowLook}>
                {columns.map((column) => (
                  <td key={column.id} className={cellLook(column, 'h-11 truncate')}>
                    {column.cell(row.original)}
                  </td>
                ))}
              </tr>
            );
          })}
          <Gap height={after} />
        </tbody>
      </table>
      <div
        role="status"
        className={isLoadingMore ? 'border-t border-line px-4 py-3 text-sm text-muted' : 'sr-only'}
      >
        {isLoadingMore ? t('loadingMore') : t('rows', { count: rows.length })}
      </div>
    </div>
  );
}

const headerLook =
  'h-9 border-b border-line bg-sunken text-left text-xs font-medium text-muted first:rounded-tl-lg last:rounded-tr-lg';
const rowLook = 'relative border-b border-line last-of-type:border-b-0 hover:bg-hover/60';

function cellLook<Row>({ width, align, isHiddenOnPhone }: Column<Row>, look: string): string {
  const phone = isHiddenOnPhone === true && 'max-sm:hidden';
  return classes('px-3 first:pl-4 last:pr-4', look, width, align === 'end' && 'text-right', phone);
}

/** TanStack Table's description of the columns, which stays the same object while the columns do. */
function useTableColumns<Row extends object>(columns: readonly Column<Row>[]) {
  return useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>();
    return columns.map(({ id, header }) => helper.display({ id, header }));
  }, [columns]);
}

function useRowsInView(count: number, onEnd: (() => void) | undefined) {
  const [scrollMargin, setScrollMargin] = useState(0);
  const body = useCallback((element: HTMLTableSectionElement | null) => {
    if (element !== null) setScrollMargin(element.getBoundingClientRect().top + window.scrollY);
  }, []);
  const virtualizer = useWindowVirtualizer({
    ...{ count, scrollMargin, overscan: 12 },
    estimateSize: () => rowHeightPx,
  });
  const last = virtualizer.getVirtualItems().at(-1)?.index ?? -1;
  useEffect(() => {
    if (count > 0 && last >= count - rowsBeforeEnd) onEnd?.();
  }, [count, last, onEnd]);
  return { body, virtualizer };
}

/**
 * The room of the rows that are not in the document. Its cell spans one column: spanning those that a phone leaves out
 * would make room for them.
 */
function Gap({ height }: { height: number }): ReactNode {
  if (height <= 0) return null;
  return (
    <tr aria-hidden>
      <td className="p-0" style={{ height }} />
    </tr>
  );
}

/** A table that is being loaded. */
export function TableSkeleton({ rows = 8 }: { rows?: number }): ReactNode {
  const t = useText();
  return (
    <div role="status" aria-label={t('loading')} className="rounded-lg border border-line bg-surface">
      <div className="h-9 rounded-t-lg border-b border-line bg-sunken" />
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="flex h-11 items-center gap-6 border-b border-line px-4 last:border-b-0">
          <Skeleton className="w-1/5" />
          <Skeleton className="w-2/5" />
          <Skeleton className="ml-auto w-16" />
        </div>
      ))}
    </div>
  );
}

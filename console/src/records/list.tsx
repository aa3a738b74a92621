import type { ReactNode } from 'react';
import { ErrorState } from '../design/states.tsx';
import { Table, TableSkeleton, type Column } from '../design/table.tsx';
import type { ListState } from './use-list.ts';

interface ListProps<Row> {
  list: ListState<Row>;
  /** What the rows are, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  /** What is shown in place of no rows. */
  empty: ReactNode;
}

/** Rows are told apart by their id. The recipients of a batch have a position instead. */
type Identified = { id: string } | { position: number };

/** A list of the API as a table, in each of its states. The next page is read when the reader comes near the end. */
export function List<Row extends Identified>({ list, label, columns, empty }: ListProps<Row>): ReactNode {
  const { items, error, isPending, refetch, loadMore, isLoadingMore } = list;
  if (isPending) return <TableSkeleton />;
  if (error !== null) return <ErrorState error={error} onRetry={refetch} />;
  if (items.length === 0) return <div className="rounded-lg border border-line bg-surface">{empty}</div>;
  return (
    <Table
      label={label}
      columns={columns}
      rows={items}
      rowId={idOf}
      onEnd={loadMore}
      isLoadingMore={isLoadingMore}
    />
  );
}

function idOf(row: Identified): string {
  return 'id' in row ? row.id : String(row.position);
}

import { Plus, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../design/button.tsx';
import { Page } from '../design/page.tsx';
import { SearchField } from '../design/search-field.tsx';
import { EmptyState } from '../design/states.tsx';
import type { Column } from '../design/table.tsx';
import { List } from './list.tsx';
import type { ListState } from './use-list.ts';

interface RecordsPageProps<Row> {
  title: string;
  description: string;
  create: { label: string; onClick: () => void };
  search?: { label: string; value: string; onChange: (value: string) => void };
  list: ListState<Row>;
  columns: readonly Column<Row>[];
  /** What is shown when there are no records, or none that match the search. */
  empty: { icon: LucideIcon; title: string; description: string };
  /** The dialogs of the page. */
  children: ReactNode;
}

/** A page with the records of one kind, which are found, created, and opened in a dialog. */
export function RecordsPage<Row extends { id: string }>(props: RecordsPageProps<Row>): ReactNode {
  const { title, description, create, search, list, columns, empty, children } = props;
  return (
    <Page
      title={title}
      description={description}
      actions={
        <Button variant="primary" icon={<Plus aria-hidden className="size-4" />} onClick={create.onClick}>
          {create.label}
        </Button>
      }
    >
      {search !== undefined && (
        <search>
          <SearchField {...search} />
        </search>
      )}
      <List list={list} label={title} columns={columns} empty={<EmptyState {...empty} />} />
      {children}
    </Page>
  );
}

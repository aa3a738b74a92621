import { Inbox, Plus, Settings } from 'lucide-react';
import { SmsApiError, SmsConnectionError } from 'sms-service-client';
import { useState, type ReactNode } from 'react';
import { Badge } from '../design/badge.tsx';
import { Button, IconButton } from '../design/button.tsx';
import { Copyable, CopyableBlock } from '../design/copyable.tsx';
import { Actions, Dialog } from '../design/dialog.tsx';
import { Field, Input, TextArea } from '../design/field.tsx';
import { Card, Facts, Page } from '../design/page.tsx';
import { Select } from '../design/select.tsx';
import { EmptyState, ErrorState, Notice, PageSkeleton } from '../design/states.tsx';
import { Table, TableSkeleton, type Column } from '../design/table.tsx';
import { useToast } from '../design/toast.tsx';

/** The components alone, in every state. */
export function GalleryPage(): ReactNode {
  return (
    <Page title="Gallery" description="The components, in every state">
      <div className="grid gap-5 md:grid-cols-2">
        <Buttons />
        <Fields />
        <Texts />
        <Overlays />
        <Card title="Empty" className="">
          <EmptyState
            icon={Inbox}
            title="No messages yet"
            description="Messages appear here as soon as they are sent."
            action={<Button variant="primary">Send a message</Button>}
          />
        </Card>
        <Card title="Errors" className="divide-y divide-line">
          <ErrorState
            error={new SmsConnectionError('', { mayHaveArrived: false })}
            onRetry={() => undefined}
          />
          <ErrorState error={new SmsApiError(403, { code: 'permission_denied', requestId: '019aa3c1' })} />
        </Card>
        <Card title="Loading" className="">
          <PageSkeleton />
        </Card>
        <TableSkeleton rows={6} />
      </div>
      <ManyRows />
    </Page>
  );
}

function Buttons(): ReactNode {
  return (
    <Card title="Buttons" className="flex flex-wrap items-center gap-2 p-4">
      <Button variant="primary" icon={<Plus aria-hidden className="size-4" />}>
        Primary
      </Button>
      <Button>Secondary</Button>
      <Button variant="quiet">Quiet</Button>
      <Button variant="danger">Danger</Button>
      <Button isPending>Pending</Button>
      <Button disabled>Disabled</Button>
      <Button size="small">Small</Button>
      <IconButton label="Settings">
        <Settings aria-hidden />
      </IconButton>
    </Card>
  );
}

const statuses = [
  { value: 'delivered', label: 'Delivered' },
  { value: 'failed', label: 'Failed' },
];

function Fields(): ReactNode {
  const [status, setStatus] = useState('delivered');
  return (
    <Card title="Fields" className="flex flex-col gap-4 p-4">
      <Field label="Recipient" hint="A number in any notation.">
        <Input placeholder="0911234567" />
      </Field>
      <Field label="Sender" error="This sender is not approved.">
        <Input defaultValue="ACME" />
      </Field>
      <Field label="Text" aside="12 of 160">
        <TextArea defaultValue="ሰላም፣ ጥቅልዎ ደርሷል።" />
      </Field>
      <Field label="Status">
        <Select options={statuses} value={status} onChange={setStatus} />
      </Field>
    </Card>
  );
}

function Texts(): ReactNode {
  return (
    <Card title="Texts" className="flex flex-col gap-4 p-4">
      <div className="flex flex-wrap gap-2">
        <Badge>Queued</Badge>
        <Badge tone="info">Sent</Badge>
        <Badge tone="success">Delivered</Badge>
        <Badge tone="warning">Paused</Badge>
        <Badge tone="danger">Failed</Badge>
        <Badge tone="accent">Test</Badge>
      </div>
      <Facts
        facts={[
          { name: 'Id', value: <Copyable value="019aa3c1-7d7b-7c9e-9d55-0c6a52f5b3aa" /> },
          { name: 'Text', value: 'ሰላም' },
        ]}
      />
      <CopyableBlock
        label="Command"
        text={'curl -sS http://127.0.0.1:3000/health \\\n  -H "Accept: application/json"'}
      />
      <Notice tone="info" title="For your information" />
      <Notice tone="warning" title="Take care">
        This key is shown only once.
      </Notice>
      <Notice tone="danger" title="Refused">
        The sender is not approved.
      </Notice>
    </Card>
  );
}

function Overlays(): ReactNode {
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  return (
    <Card title="Overlays" className="flex flex-wrap gap-2 p-4">
      <Button onClick={() => setOpen(true)}>Open a dialog</Button>
      <Button onClick={() => toast({ title: 'Sent', description: 'The message is on its way.' })}>
        Success
      </Button>
      <Button onClick={() => toast({ title: 'Refused', kind: 'failure' })}>Failure</Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title="A dialog" description="What it is about.">
        <Input aria-label="Name" />
        <Actions>
          <Button onClick={() => setOpen(false)}>Cancel</Button>
          <Button variant="primary">Save</Button>
        </Actions>
      </Dialog>
    </Card>
  );
}

interface Sample {
  id: number;
  name: string;
}

const samples: Sample[] = Array.from({ length: 10_000 }, (_, id) => ({ id, name: `Contact ${id}` }));
const columns: Column<Sample>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name },
  { id: 'status', header: 'Status', width: 'w-32', cell: () => <Badge tone="success">Delivered</Badge> },
  { id: 'number', header: 'Number', width: 'w-24', align: 'end', cell: ({ id }) => id },
];

function ManyRows(): ReactNode {
  return <Table label="10,000 rows" columns={columns} rows={samples} rowId={({ id }) => String(id)} />;
}

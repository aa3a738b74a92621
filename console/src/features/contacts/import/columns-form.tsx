import { useMutation } from '@tanstack/react-query';
import type { ContactImport } from 'sms-service-client';
import { useState, type ReactNode } from 'react';
import { sms } from '../../../api.ts';
import { Button } from '../../../design/button.tsx';
import { Actions } from '../../../design/dialog.tsx';
import { Card } from '../../../design/page.tsx';
import { Select } from '../../../design/select.tsx';
import { Notice } from '../../../design/states.tsx';
import { FormFailure } from '../../../form.tsx';
import { useFormat } from '../../../i18n/format.ts';
import { useOrganization } from '../../organizations/organization.ts';
import { useText } from '../text.ts';
import type { ChosenFile } from './choose-file.tsx';
import type { ImportTarget } from './contact-import.ts';
import { TargetChoice } from './target-choice.tsx';
import {
  changeMeaning,
  contactColumns,
  numbersOf,
  recognizeColumns,
  withMeanings,
  type ColumnMeaning,
} from './map-columns.ts';

/** An import that the API has accepted, and what is to be done after it. */
export interface StartedImport {
  contactImport: ContactImport;
  rowCount: number;
  /** The numbers of the file, and the phonebook that they go into. */
  numbers: Set<string>;
  target: ImportTarget | null;
}

interface ColumnsFormProps {
  chosen: ChosenFile;
  onStart: (started: StartedImport) => void;
  onBack: () => void;
}

/** Shows what each column will become, with the first values, before anything is stored. */
export function ColumnsForm({ chosen, onStart, onBack }: ColumnsFormProps): ReactNode {
  const t = useText();
  const format = useFormat();
  const { organizationId } = useOrganization();
  const { file, text, csv } = chosen;
  const [meanings, setMeanings] = useState(() => recognizeColumns(csv.headers));
  const [target, setTarget] = useState<ImportTarget | null>({
    name: file.name.replace(/\.\w+$/, '').slice(0, 100),
  });
  const isNameless = target !== null && 'name' in target && target.name.trim() === '';
  const hasNumbers = meanings.includes('phoneNumber');
  const upload = useMutation({
    mutationFn: () => sms.contacts.import({ organizationId, file: withMeanings(file, text, csv, meanings) }),
    onSuccess: (contactImport) =>
      onStart({
        contactImport,
        rowCount: csv.rows.length,
        numbers: numbersOf(csv, meanings),
        target,
      }),
  });
  const rows = format.number(csv.rows.length);
  return (
    <div className="flex flex-col gap-5">
      <Card title={t('fileColumns', { file: file.name, rows })} className="divide-y divide-line">
        {csv.headers.map((header, index) => (
          // A header may occur twice; a column has no identity but its place.
          <Column
            key={index}
            header={header}
            samples={csv.rows.slice(0, 3).map((row) => row[index] ?? '')}
            meaning={meanings[index]!}
            onChange={(meaning) => setMeanings(changeMeaning(meanings, index, meaning))}
          />
        ))}
      </Card>
      {!hasNumbers && (
        <Notice tone="warning" title={t('noNumberColumn')}>
          {t('noNumberColumnHint')}
        </Notice>
      )}
      <TargetChoice target={target} onChange={setTarget} />
      <FormFailure error={upload.error} />
      <Actions>
        <Button onClick={onBack}>{t('anotherFile')}</Button>
        <Button
          variant="primary"
          disabled={!hasNumbers || csv.rows.length === 0 || isNameless}
          isPending={upload.isPending}
          onClick={() => upload.mutate()}
        >
          {upload.isPending ? t('uploading') : t('importRows', { count: csv.rows.length, rows })}
        </Button>
      </Actions>
    </div>
  );
}

interface ColumnProps {
  header: string;
  samples: string[];
  meaning: ColumnMeaning;
  onChange: (meaning: ColumnMeaning) => void;
}

function Column({ header, samples, meaning, onChange }: ColumnProps): ReactNode {
  const t = useText();
  const meanings: ColumnMeaning[] = [...contactColumns, 'custom', 'customFields', 'leftOut'];
  const options = meanings.map((value) => ({
    value,
    label:
      value === 'custom' ? t('customField') : value === 'customFields' ? t('customFieldsJson') : t(value),
  }));
  const shown = samples.filter((sample) => sample !== '').join(' · ');
  return (
    <div className="flex items-center gap-4 px-4 py-2.5 max-sm:flex-col max-sm:items-stretch max-sm:gap-2">
      <div className="min-w-0 flex-1">
        <p className="truncate font-medium">{header.trim() === '' ? t('unnamedColumn') : header}</p>
        <p className="truncate text-sm text-muted">{shown === '' ? t('noValues') : shown}</p>
      </div>
      <Select
        label={t('columnIs', { column: header })}
        options={options}
        value={meaning}
        onChange={onChange}
        className="w-56 max-sm:w-full"
      />
    </div>
  );
}

import { FileSpreadsheet } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Notice } from '../../../design/states.tsx';
import { useText } from '../text.ts';
import { parseCsv, type CsvFile } from './parse-csv.ts';

/** What the API accepts. */
const mostBytes = 32 * 1024 * 1024;

export interface ChosenFile {
  file: File;
  text: string;
  csv: CsvFile;
}

/** A place to drop a CSV file, or to choose one. */
export function ChooseFile({ onChoose }: { onChoose: (chosen: ChosenFile) => void }): ReactNode {
  const t = useText();
  const [problem, setProblem] = useState<'fileTooLarge' | 'fileUnreadable'>();
  const choose = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > mostBytes) return setProblem('fileTooLarge');
    // The mark at the beginning of the file stays in the text, so that positions in both are the same.
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await file.arrayBuffer());
    const csv = parseCsv(text);
    if (csv === null || text.includes('\0')) return setProblem('fileUnreadable');
    onChoose({ file, text, csv });
  };
  return (
    <div className="flex flex-col gap-3">
      <label className="relative flex flex-col items-center rounded-lg border border-dashed border-line-strong bg-surface px-6 py-14 text-center focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent hover:bg-hover/60">
        <FileSpreadsheet aria-hidden className="mb-3 size-8 text-muted" />
        <span className="font-medium">{t('chooseFile')}</span>
        <span className="mt-1 max-w-md text-sm text-muted">{t('chooseFileHint')}</span>
        {/* It is as large as the area, so that a file can be dropped anywhere on it. */}
        <input
          type="file"
          accept=".csv,text/csv,text/plain"
          className="absolute inset-0 cursor-pointer opacity-0"
          onChange={(event) => void choose(event.target.files?.[0])}
        />
      </label>
      {problem !== undefined && (
        <Notice tone="danger" title={t(problem)}>
          {t('fileHelp')}
        </Notice>
      )}
    </div>
  );
}

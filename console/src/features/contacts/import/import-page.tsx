import { useState, type ReactNode } from 'react';
import { Page } from '../../../design/page.tsx';
import { useOrganization } from '../../organizations/organization.ts';
import { useText } from '../text.ts';
import { ChooseFile, type ChosenFile } from './choose-file.tsx';
import { ColumnsForm, type StartedImport } from './columns-form.tsx';
import { ImportResult } from './import-result.tsx';

/** Imports contacts from a CSV file: choose the file, say what its columns are, and watch. */
export function ImportPage(): ReactNode {
  const t = useText();
  const { slug } = useOrganization();
  const [chosen, setChosen] = useState<ChosenFile>();
  const [started, setStarted] = useState<StartedImport>();
  const startOver = (): void => {
    setChosen(undefined);
    setStarted(undefined);
  };
  return (
    <Page
      width="narrow"
      title={t('importTitle')}
      description={t('importHint')}
      breadcrumbs={[
        { label: t('title'), link: { to: '/o/$organization/contacts', params: { organization: slug } } },
      ]}
    >
      {chosen === undefined && <ChooseFile onChoose={setChosen} />}
      {chosen !== undefined && started === undefined && (
        <ColumnsForm chosen={chosen} onStart={setStarted} onBack={startOver} />
      )}
      {started !== undefined && <ImportResult started={started} onAgain={startOver} />}
    </Page>
  );
}

import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { CopyableBlock } from '../../design/copyable.tsx';
import { Actions } from '../../design/dialog.tsx';
import { Notice } from '../../design/states.tsx';
import { useText } from './text.ts';

/** Recovery codes, which the API returns once, to be copied or saved as a file. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }): ReactNode {
  const t = useText();
  const text = codes.join('\n');
  return (
    <div className="flex flex-col gap-3">
      <Notice tone="warning" title={t('shownOnce')} />
      <CopyableBlock label={t('recoveryCodes')} text={text} />
      <Actions>
        <Button icon={<Download aria-hidden className="size-4" />} onClick={() => save(`${text}\n`)}>
          {t('download')}
        </Button>
        <Button variant="primary" onClick={onDone}>
          {t('stored')}
        </Button>
      </Actions>
    </div>
  );
}

/** Lets the browser save the codes as a file. They never leave the page otherwise. */
function save(text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = 'recovery-codes.txt';
  link.click();
  URL.revokeObjectURL(address);
}

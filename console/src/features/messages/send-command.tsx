import type { ReactNode } from 'react';
import { CopyableBlock } from '../../design/copyable.tsx';
import { Card } from '../../design/page.tsx';
import { curlOf } from './curl-of.ts';
import { defaultSender, type SendValues } from './send-values.ts';
import { useText } from './text.ts';

/** The command that sends what the form holds. The environment is that of the key which the program has. */
export function SendCommand({ values }: { values: Partial<SendValues> }): ReactNode {
  const t = useText();
  const { to = '', text = '', from = defaultSender } = values;
  return (
    <Card title={t('asCommand')} className="flex flex-col gap-3 p-4">
      <CopyableBlock
        label={t('asCommand')}
        text={curlOf({ to, text, ...(from !== defaultSender && { from }) })}
      />
      <p className="text-xs text-muted">{t('commandHint')}</p>
    </Card>
  );
}

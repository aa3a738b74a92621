import type { ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { CopyableBlock } from '../../design/copyable.tsx';
import { Actions, Dialog } from '../../design/dialog.tsx';
import { useText } from './text.ts';

/** Shows how a program is told of each step of its messages. */
export function WebhookDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactNode {
  const t = useText();
  const command = [
    `curl -sS ${window.location.origin}/api/v1/messages`,
    `-H "X-API-Key: $SMS_API_KEY"`,
    `-d to=0911234567 -d text=Selam`,
    `-d 'webhook[url]=https://example.com/sms-events'`,
    `-d 'webhook[secret]=a-secret-of-16-chars-or-more'`,
  ].join(' \\\n  ');
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('webhookTitle')} description={t('webhookExplained')}>
      <div className="flex flex-col gap-3">
        <CopyableBlock label={t('command')} text={command} />
        <p className="text-sm text-muted">
          {t('webhookVerify')}{' '}
          <a href="/docs/" className="text-accent hover:underline">
            {t('documentation')}
          </a>
        </p>
        <Actions>
          <Button variant="primary" onClick={onClose}>
            {t('close')}
          </Button>
        </Actions>
      </div>
    </Dialog>
  );
}

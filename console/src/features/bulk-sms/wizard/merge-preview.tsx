import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { Contact } from 'sms-service-client';
import type { ReactNode } from 'react';
import { IconButton } from '../../../design/button.tsx';
import { Card } from '../../../design/page.tsx';
import { nameOf } from '../../contacts/contacts.ts';
import { PhonePreview } from '../../messages/phone-preview.tsx';
import { segmentMessage } from '../../messages/segments.ts';
import { useText } from '../text.ts';

interface MergePreviewProps {
  /** The newest contacts of the phonebook. */
  contacts: Contact[];
  /** The position of the contact that is shown. */
  shown: number;
  /** The text with the values of this contact. */
  rendered: string;
  onShow: (position: number) => void;
}

/** The text as one of the contacts gets it. */
export function MergePreview({ contacts, shown, rendered, onShow }: MergePreviewProps): ReactNode {
  const t = useText();
  const contact = contacts[shown];
  return (
    <Card
      title={t('preview')}
      aside={
        contacts.length > 1 && (
          <div className="flex">
            <IconButton label={t('previousContact')} disabled={shown === 0} onClick={() => onShow(shown - 1)}>
              <ChevronLeft aria-hidden />
            </IconButton>
            <IconButton
              label={t('nextContact')}
              disabled={shown === contacts.length - 1}
              onClick={() => onShow(shown + 1)}
            >
              <ChevronRight aria-hidden />
            </IconButton>
          </div>
        )
      }
    >
      {rendered === '' ? (
        <p className="text-muted">{t('previewHint')}</p>
      ) : (
        <PhonePreview
          sender={contact === undefined ? '' : nameOf(contact) || contact.phoneNumber}
          parts={segmentMessage(rendered).parts.map((part) => part.text)}
        />
      )}
    </Card>
  );
}

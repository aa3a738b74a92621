import type { ReactNode } from 'react';
import { useText } from './text.ts';

/** A message as a phone shows it. Parts, one for each segment, are told apart by a line. */
export function PhonePreview({ sender, parts }: { sender: string; parts: readonly string[] }): ReactNode {
  const t = useText();
  return (
    <figure aria-label={t('preview')} className="mx-auto w-full max-w-72">
      <figcaption className="mb-2 text-center text-xs font-medium text-muted">{sender}</figcaption>
      <div className="w-fit max-w-full rounded-lg rounded-bl-sm bg-hover px-3 py-2 leading-5 [overflow-wrap:anywhere] whitespace-pre-wrap">
        {parts.map((part, index) => (
          // The parts have no identity but their place.
          <span key={index} className={index > 0 ? 'border-l-2 border-accent pl-px' : ''}>
            {part}
          </span>
        ))}
      </div>
    </figure>
  );
}

import { Check, Copy } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { IconButton } from './button.tsx';
import { useText } from './text.ts';

const copiedMs = 2000;

/** A button that copies a value, and says so for two seconds. */
export function CopyButton({ value, className }: { value: string; className?: string }): ReactNode {
  const t = useText();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <>
      <IconButton
        label={isCopied ? t('copied') : t('copy')}
        className={className ?? ''}
        onClick={() => void copy(value).then(() => setCopied(true))}
      >
        {isCopied ? <Check aria-hidden className="text-success" /> : <Copy aria-hidden />}
      </IconButton>
      <span role="status" className="sr-only">
        {isCopied ? t('copied') : ''}
      </span>
    </>
  );
}

/** A value that people copy: an id or a key. */
export function Copyable({ value, shown = value }: { value: string; shown?: string }): ReactNode {
  return (
    <span className="inline-flex max-w-full items-center gap-0.5">
      <span className="min-w-0 truncate font-mono text-sm" title={value}>
        {shown}
      </span>
      <CopyButton value={value} className="size-6 max-sm:size-8" />
    </span>
  );
}

/** Lines that people copy: a command or a body. */
export function CopyableBlock({ text, label }: { text: string; label: string }): ReactNode {
  return (
    <div className="flex items-start rounded-md border border-line bg-sunken">
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className="min-w-0 flex-1 overflow-x-auto p-3 font-mono text-xs leading-5"
      >
        {text}
      </pre>
      <CopyButton value={text} className="m-1" />
    </div>
  );
}

/** Browsers have the clipboard only in pages that were loaded over https or from this machine; a selection works in all. */
async function copy(value: string): Promise<void> {
  if (window.isSecureContext) return navigator.clipboard.writeText(value);
  const area = document.createElement('textarea');
  area.value = value;
  document.body.append(area);
  area.select();
  document.execCommand('copy');
  area.remove();
}

import type { ReactNode } from 'react';

/** A link that downloads a file of the API, which also names it. */
export function DownloadLink({ href, children }: { href: string; children: ReactNode }): ReactNode {
  return (
    <a
      href={href}
      download
      className="inline-flex h-8 items-center gap-2 rounded-md px-2 text-sm text-muted hover:bg-hover hover:text-text max-sm:h-10"
    >
      {children}
    </a>
  );
}

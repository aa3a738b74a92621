import { Link, type LinkProps } from '@tanstack/react-router';
import { ChevronRight } from 'lucide-react';
import { useEffect, type ReactNode } from 'react';
import { classes } from './classes.ts';
import { useText } from './text.ts';

export interface Crumb {
  label: string;
  link: LinkProps;
}

interface PageProps {
  title: string;
  description?: ReactNode;
  /** The pages above this one, outermost first. */
  breadcrumbs?: Crumb[];
  actions?: ReactNode;
  /** `narrow` for forms and settings, which are hard to read on a wide screen. */
  width?: 'wide' | 'narrow';
  children: ReactNode;
}

/** The frame of every page: its title, which is also that of the browser's tab, its place, and its actions. */
export function Page(props: PageProps): ReactNode {
  const { title, description, breadcrumbs = [], actions, width = 'wide', children } = props;
  const t = useText();
  useEffect(() => {
    document.title = t('pageTitle', { title });
  }, [t, title]);
  return (
    <div
      className={classes(
        'mx-auto flex w-full flex-col gap-5 px-8 py-7 max-sm:px-4 max-sm:py-5',
        width === 'narrow' ? 'max-w-3xl' : 'max-w-6xl',
      )}
    >
      <header className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1.5">
        <div className="min-w-0">
          {breadcrumbs.length > 0 && <Breadcrumbs crumbs={breadcrumbs} />}
          <h1 className="text-xl font-semibold tracking-tight [overflow-wrap:anywhere]">{title}</h1>
        </div>
        {actions !== undefined && <div className="flex flex-wrap gap-2">{actions}</div>}
        {description !== undefined && <div className="basis-full text-muted">{description}</div>}
      </header>
      {children}
    </div>
  );
}

function Breadcrumbs({ crumbs }: { crumbs: Crumb[] }): ReactNode {
  const t = useText();
  return (
    <nav aria-label={t('breadcrumbs')} className="mb-1">
      <ol className="flex items-center gap-1 text-sm text-muted">
        {crumbs.map(({ label, link }) => (
          <li key={label} className="flex items-center gap-1">
            <Link {...link} className="rounded-sm hover:text-text hover:underline">
              {label}
            </Link>
            <ChevronRight aria-hidden className="size-3.5" />
          </li>
        ))}
      </ol>
    </nav>
  );
}

/** A bordered part of a page, with an optional heading. */
export function Card({
  title,
  aside,
  className,
  children,
}: {
  title?: string;
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}): ReactNode {
  return (
    <section className="overflow-clip rounded-lg border border-line bg-surface shadow-raised">
      {title !== undefined && (
        <div className="flex min-h-11 items-center justify-between gap-3 border-b border-line px-4 py-2">
          <h2 className="font-medium">{title}</h2>
          {aside}
        </div>
      )}
      <div className={className ?? 'p-4'}>{children}</div>
    </section>
  );
}

/** Names and values, one below the other. */
export function Facts({ facts }: { facts: { name: string; value: ReactNode }[] }): ReactNode {
  return (
    <dl className="grid grid-cols-[minmax(6rem,auto)_1fr] items-baseline gap-x-4 gap-y-2.5 text-base">
      {facts.map(({ name, value }) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 [overflow-wrap:anywhere]">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

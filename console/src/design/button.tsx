import { Link, type LinkProps } from '@tanstack/react-router';
import { LoaderCircle } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes.ts';

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger';
type Size = 'small' | 'medium';

interface Look {
  /** `primary` is for the one main action of a page. */
  variant?: Variant;
  size?: Size;
  icon?: ReactNode;
}

const variants: Record<Variant, string> = {
  primary: 'bg-accent text-on-accent hover:bg-accent-strong font-medium shadow-raised',
  secondary: 'bg-raised text-text border border-line-strong hover:bg-hover shadow-raised',
  quiet: 'text-muted hover:bg-hover hover:text-text',
  danger: 'bg-danger text-on-danger font-medium hover:opacity-90 shadow-raised',
};

const sizes: Record<Size, string> = {
  small: 'h-7 px-2 text-sm gap-1.5 max-sm:h-9',
  medium: 'h-9 px-3 text-base gap-2 max-sm:h-10',
};

/** The classes of a button, for what only looks like one. */
export function buttonLook({ variant = 'secondary', size = 'medium' }: Look, className?: string): string {
  return classes(
    'inline-flex shrink-0 items-center justify-center rounded-md whitespace-nowrap transition-colors select-none',
    'disabled:opacity-50 disabled:pointer-events-none aria-disabled:opacity-50',
    variants[variant],
    sizes[size],
    className,
  );
}

type ButtonProps = ComponentProps<'button'> & Look & { isPending?: boolean };

/** A button. While its action is pending it stays focusable, so that the keyboard does not lose its place. */
export function Button({
  variant,
  size,
  icon,
  isPending = false,
  className,
  children,
  onClick,
  ...button
}: ButtonProps): ReactNode {
  return (
    <button
      type="button"
      {...button}
      aria-disabled={isPending || undefined}
      aria-busy={isPending || undefined}
      onClick={(event) => (isPending ? event.preventDefault() : onClick?.(event))}
      className={buttonLook({ ...(variant && { variant }), ...(size && { size }) }, className)}
    >
      {isPending ? <LoaderCircle aria-hidden className="size-4 animate-spin" /> : icon}
      {children}
    </button>
  );
}

/** A link that looks like a button, for actions that lead to another page. */
export function ButtonLink({
  variant,
  size,
  icon,
  className,
  children,
  ...link
}: LinkProps & Look & { className?: string; children: ReactNode }): ReactNode {
  return (
    <Link {...link} className={buttonLook({ ...(variant && { variant }), ...(size && { size }) }, className)}>
      {icon}
      {children}
    </Link>
  );
}

/** A link that looks like a button and downloads a file of the API. */
export function DownloadLink({
  href,
  icon,
  children,
}: {
  href: string;
  icon?: ReactNode;
  children: ReactNode;
}): ReactNode {
  return (
    <a href={href} download className={buttonLook({})}>
      {icon}
      {children}
    </a>
  );
}

/** A button that shows only an icon. `label` is its name for screen readers and its tooltip. */
export function IconButton({
  label,
  className,
  children,
  ...button
}: Omit<ComponentProps<'button'>, 'aria-label'> & { label: string }): ReactNode {
  return (
    <button
      type="button"
      {...button}
      aria-label={label}
      title={label}
      className={classes(
        'inline-flex size-8 shrink-0 items-center justify-center rounded-md text-muted transition-colors max-sm:size-10',
        'hover:bg-hover hover:text-text disabled:opacity-50 [&_svg]:size-4',
        className,
      )}
    >
      {children}
    </button>
  );
}

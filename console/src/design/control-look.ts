import { classes } from './classes.ts';

/** The look of everything that can be typed into or chosen from. */
export const controlLook = classes(
  'rounded-md border border-line-input bg-surface px-2.5 text-base max-sm:text-lg',
  'hover:border-muted focus-visible:outline-offset-0',
  'aria-invalid:border-danger disabled:opacity-60',
);

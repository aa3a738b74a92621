import { Field as BaseField } from '@base-ui/react/field';
import type { ComponentProps, ReactNode } from 'react';
import { classes } from './classes.ts';
import { controlLook } from './control-look.ts';

export interface FieldLabels {
  label: string;
  /** What to enter, or what happens with it. */
  hint?: ReactNode;
  /** Shown at the right of the label, for example a counter. */
  aside?: ReactNode;
}

type FieldProps = FieldLabels & { error?: string | undefined; className?: string; children: ReactNode };

/** A label, a control, a hint, and the error of the field. Base UI connects them for screen readers. */
export function Field({ label, hint, aside, error, className, children }: FieldProps): ReactNode {
  return (
    <BaseField.Root invalid={error !== undefined} className={classes('flex flex-col gap-1.5', className)}>
      <div className="flex items-baseline justify-between gap-3">
        <BaseField.Label className="text-sm font-medium">{label}</BaseField.Label>
        {aside !== undefined && <div className="text-xs text-muted">{aside}</div>}
      </div>
      {children}
      {error !== undefined && (
        <BaseField.Error match className="text-sm text-danger">
          {error}
        </BaseField.Error>
      )}
      {hint !== undefined && (
        <BaseField.Description className="text-xs text-muted">{hint}</BaseField.Description>
      )}
    </BaseField.Root>
  );
}

/** The control of a field for one line of text. */
export function Input({ className, ...input }: ComponentProps<'input'>): ReactNode {
  return (
    <BaseField.Control
      {...input}
      className={classes(controlLook, 'h-9 max-sm:h-11', className ?? 'w-full')}
    />
  );
}

/** The control of a field for several lines of text. */
export function TextArea({ className, rows = 4, ...area }: ComponentProps<'textarea'>): ReactNode {
  const look = classes(controlLook, 'w-full py-2 leading-6', className);
  return <BaseField.Control render={<textarea {...area} rows={rows} />} className={look} />;
}

import type { ComponentProps, ReactNode } from 'react';
import { useController, type Control, type FieldPath, type FieldValues } from 'react-hook-form';
import { Field, Input, TextArea, type FieldLabels } from './field.tsx';

/** Which value of which form a field edits. */
export interface Bound<Values extends FieldValues> {
  control: Control<Values>;
  name: FieldPath<Values>;
}

type TextFieldProps<Values extends FieldValues> = FieldLabels &
  Bound<Values> &
  Omit<ComponentProps<'input'>, 'name' | 'className'> & { className?: string };

/** A field of a form for one line of text. */
export function TextField<Values extends FieldValues>({
  control,
  name,
  label,
  hint,
  aside,
  className,
  ...input
}: TextFieldProps<Values>): ReactNode {
  const { field, fieldState } = useController({ control, name });
  const labels = { label, ...(hint !== undefined && { hint }), ...(aside !== undefined && { aside }) };
  return (
    <Field {...labels} error={fieldState.error?.message} {...(className && { className })}>
      <Input {...input} {...field} value={field.value ?? ''} />
    </Field>
  );
}

type TextAreaFieldProps<Values extends FieldValues> = FieldLabels &
  Bound<Values> &
  Omit<ComponentProps<'textarea'>, 'name'>;

/** A field of a form for several lines of text. */
export function TextAreaField<Values extends FieldValues>({
  control,
  name,
  label,
  hint,
  aside,
  ...area
}: TextAreaFieldProps<Values>): ReactNode {
  const { field, fieldState } = useController({ control, name });
  const labels = { label, ...(hint !== undefined && { hint }), ...(aside !== undefined && { aside }) };
  return (
    <Field {...labels} error={fieldState.error?.message}>
      <TextArea {...area} {...field} value={field.value ?? ''} />
    </Field>
  );
}

/** A field of a form for yes or no. */
export function CheckboxField<Values extends FieldValues>({
  control,
  name,
  label,
  hint,
}: FieldLabels & Bound<Values>): ReactNode {
  const { field } = useController({ control, name });
  return (
    <label className="flex items-start gap-2.5 text-base">
      <input
        type="checkbox"
        name={name}
        checked={field.value === true}
        onChange={(event) => field.onChange(event.target.checked)}
        className="mt-0.5 size-4 accent-accent"
      />
      <span>
        {label}
        {hint !== undefined && <span className="block text-xs text-muted">{hint}</span>}
      </span>
    </label>
  );
}

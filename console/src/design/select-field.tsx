import type { ReactNode } from 'react';
import { useController, type FieldValues } from 'react-hook-form';
import { Field, type FieldLabels } from './field.tsx';
import type { Bound } from './form-fields.tsx';
import { Select, type Option } from './select.tsx';

type SelectFieldProps<Values extends FieldValues> = FieldLabels &
  Bound<Values> & { options: readonly Option<string>[] };

/** A field of a form for a choice among a few values. */
export function SelectField<Values extends FieldValues>({
  control,
  name,
  options,
  ...labels
}: SelectFieldProps<Values>): ReactNode {
  const { field, fieldState } = useController({ control, name });
  return (
    <Field {...labels} error={fieldState.error?.message}>
      <Select options={options} value={field.value ?? ''} onChange={field.onChange} />
    </Field>
  );
}

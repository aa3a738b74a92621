import { Select as BaseSelect } from '@base-ui/react/select';
import { Check, ChevronsUpDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import { controlLook } from './control-look.ts';

export interface Option<Value extends string> {
  value: Value;
  label: string;
}

interface SelectProps<Value extends string> {
  options: readonly Option<Value>[];
  value: Value;
  onChange: (value: Value) => void;
  /** The name for screen readers, where no field gives one. */
  label?: string;
  className?: string;
}

/** A choice among a few values. */
export function Select<Value extends string>(props: SelectProps<Value>): ReactNode {
  const { options, value, onChange, label, className } = props;
  return (
    <BaseSelect.Root
      items={options}
      value={value}
      onValueChange={(chosen) => chosen !== null && onChange(chosen)}
    >
      <BaseSelect.Trigger
        aria-label={label}
        className={classes(
          controlLook,
          'flex h-9 items-center justify-between gap-2 text-left max-sm:h-11',
          className ?? 'w-full',
        )}
      >
        <BaseSelect.Value className="truncate" />
        <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-muted" />
      </BaseSelect.Trigger>
      <BaseSelect.Portal>
        <BaseSelect.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-30">
          <BaseSelect.Popup className="max-h-80 min-w-(--anchor-width) overflow-y-auto rounded-lg bg-raised p-1 shadow-floating">
            {options.map((option) => (
              <BaseSelect.Item
                key={option.value}
                value={option.value}
                className="flex h-8 items-center gap-2 rounded-sm pr-3 pl-2 text-base outline-none select-none data-highlighted:bg-hover max-sm:h-11"
              >
                <span className="size-4">
                  <BaseSelect.ItemIndicator>
                    <Check aria-hidden className="size-4 text-accent" />
                  </BaseSelect.ItemIndicator>
                </span>
                <BaseSelect.ItemText>{option.label}</BaseSelect.ItemText>
              </BaseSelect.Item>
            ))}
          </BaseSelect.Popup>
        </BaseSelect.Positioner>
      </BaseSelect.Portal>
    </BaseSelect.Root>
  );
}

import { Menu as BaseMenu } from '@base-ui/react/menu';
import { Check } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { classes } from './classes.ts';

const itemLook = classes(
  'flex min-h-8 w-full items-center gap-2 rounded-sm px-2 py-1 text-left text-base outline-none select-none max-sm:min-h-11',
  'data-highlighted:bg-hover [&>svg]:size-4 [&>svg]:shrink-0 [&>svg]:text-muted',
);

export interface MenuProps {
  /** The button that opens it. */
  button: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  align: 'start' | 'end';
  children: ReactNode;
}

/** The list of actions that a MenuButton opens. */
export default function Menu({ button, isOpen, onOpenChange, align, children }: MenuProps): ReactNode {
  return (
    <BaseMenu.Root open={isOpen} onOpenChange={(open) => onOpenChange(open)}>
      <BaseMenu.Portal>
        <BaseMenu.Positioner anchor={button} sideOffset={4} align={align} className="z-30">
          <BaseMenu.Popup
            finalFocus={button}
            className="max-h-(--available-height) max-w-80 min-w-52 overflow-y-auto rounded-lg bg-raised p-1 shadow-floating outline-none"
          >
            {children}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

/** An action of a menu. */
export function MenuItem({ onSelect, children }: { onSelect: () => void; children: ReactNode }): ReactNode {
  return (
    <BaseMenu.Item onClick={onSelect} className={itemLook}>
      {children}
    </BaseMenu.Item>
  );
}

/** A choice among a few values within a menu. */
export function MenuChoice<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string;
  value: Value;
  options: readonly { value: Value; label: ReactNode }[];
  onChange: (value: Value) => void;
}): ReactNode {
  return (
    <BaseMenu.Group>
      <BaseMenu.GroupLabel className="px-2 pt-2 pb-1 text-xs font-medium text-muted">
        {label}
      </BaseMenu.GroupLabel>
      <BaseMenu.RadioGroup value={value} onValueChange={(chosen: Value) => onChange(chosen)}>
        {options.map((option) => (
          <BaseMenu.RadioItem key={option.value} value={option.value} closeOnClick className={itemLook}>
            <span className="min-w-0 flex-1 truncate">{option.label}</span>
            <BaseMenu.RadioItemIndicator>
              <Check aria-hidden className="size-4 text-accent" />
            </BaseMenu.RadioItemIndicator>
          </BaseMenu.RadioItem>
        ))}
      </BaseMenu.RadioGroup>
    </BaseMenu.Group>
  );
}

export function MenuSeparator(): ReactNode {
  return <BaseMenu.Separator className="my-1 h-px bg-line" />;
}

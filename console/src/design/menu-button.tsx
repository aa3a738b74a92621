import { lazy, Suspense, useRef, useState, type ComponentProps, type ReactNode } from 'react';

// A menu weighs more than the frame around the pages, so it is loaded when somebody comes near its button.
const load = () => import('./menu.tsx');
const Menu = lazy(load);

interface MenuButtonProps extends ComponentProps<'button'> {
  /** The actions. What only they need is lazy too. */
  items: ReactNode;
  align?: 'start' | 'end';
}

/** A button that opens a list of actions. */
export function MenuButton({ items, align = 'end', ...props }: MenuButtonProps): ReactNode {
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [isUsed, setUsed] = useState(false);
  const change = (open: boolean): void => {
    setUsed(true);
    setOpen(open);
  };
  return (
    <>
      <button
        type="button"
        {...props}
        ref={button}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
        onClick={() => change(!isOpen)}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          change(true);
        }}
      />
      {isUsed && (
        <Suspense>
          <Menu button={button} isOpen={isOpen} onOpenChange={change} align={align}>
            {items}
          </Menu>
        </Suspense>
      )}
    </>
  );
}

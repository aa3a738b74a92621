import { Search } from 'lucide-react';
import { useEffect, useState, type ReactNode } from 'react';
import { classes } from './classes.ts';
import { controlLook } from './control-look.ts';

const pauseMs = 300;

/** A text to look for, which is reported when the reader stops typing. */
export function SearchField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}): ReactNode {
  const [typed, setTyped] = useState(value);
  useEffect(() => {
    if (typed.trim() === value) return undefined;
    const timer = setTimeout(() => onChange(typed.trim()), pauseMs);
    return () => clearTimeout(timer);
  }, [onChange, typed, value]);
  return (
    <div className="relative max-sm:w-full">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-muted"
      />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        maxLength={500}
        onChange={(event) => setTyped(event.target.value)}
        className={classes(controlLook, 'h-9 w-80 pl-8 max-sm:h-11 max-sm:w-full')}
      />
    </div>
  );
}

import type { ReactNode } from 'react';
import { Button } from '../../design/button.tsx';
import { classes } from '../../design/classes.ts';
import { replaceTypography } from './replace-typography.ts';
import { segmentMessage, type ForcingCharacter, type SegmentedMessage } from './segments.ts';
import { useText } from './text.ts';

const shownCharacters = 12;

/**
 * Shows, as one types, how many segments a text is billed for, which characters force Unicode, and what would save a
 * segment. It counts by the rules of the service.
 */
export function SegmentMeter({
  text,
  onReplace,
}: {
  text: string;
  onReplace: (text: string) => void;
}): ReactNode {
  const t = useText();
  const message = segmentMessage(text);
  const { segments, encoding, unitsUsed } = message;
  const isEmpty = text === '';
  const room = roomOf(message);
  return (
    <section aria-label={t('meter')} className="rounded-md border border-line bg-sunken p-3 text-sm">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="font-medium" aria-live="polite">
          {t('meterSegments', { count: isEmpty ? 0 : segments })}
        </p>
        <p className="text-muted tabular-nums">
          {t(encoding === 'gsm7' ? 'gsm7' : 'ucs2')} {t('meterUnits', { used: unitsUsed, room })}
        </p>
      </div>
      <Bars message={message} />
      {message.charactersForcingUnicode.length > 0 && (
        <ForcingCharacters characters={message.charactersForcingUnicode} />
      )}
      <Savings text={text} message={message} onReplace={onReplace} />
    </section>
  );
}

/** The units that the segments of a message hold together. */
function roomOf({ segments, unitsPerSegment }: SegmentedMessage): number {
  return segments * unitsPerSegment;
}

const mostBars = 24;

/** One bar for each segment, filled as far as it is used. */
function Bars({ message }: { message: SegmentedMessage }): ReactNode {
  const { parts, unitsPerSegment, encoding } = message;
  const shown = parts.slice(0, mostBars);
  return (
    <div aria-hidden className="mt-2 flex gap-1">
      {shown.map(({ unitsUsed }, index) => (
        // The segments have no identity but their place.
        <span key={index} className="h-1.5 min-w-1 flex-1 overflow-hidden rounded-full bg-line">
          <span
            className={classes('block h-full rounded-full', encoding === 'gsm7' ? 'bg-accent' : 'bg-warning')}
            style={{ width: `${(100 * unitsUsed) / unitsPerSegment}%` }}
          />
        </span>
      ))}
    </div>
  );
}

function ForcingCharacters({ characters }: { characters: ForcingCharacter[] }): ReactNode {
  const t = useText();
  const shown = characters.slice(0, shownCharacters);
  const left = characters.length - shown.length;
  return (
    <div className="mt-3">
      <p className="text-muted">{t('forcing', { count: characters.length })}</p>
      <ul className="mt-1.5 flex flex-wrap gap-1">
        {shown.map(({ character, positions }) => (
          <li
            key={character}
            title={`U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`}
            className="rounded-sm border border-line-strong bg-surface px-1.5 font-mono"
          >
            {character}
            {positions.length > 1 && (
              <span className="pl-1 text-xs text-muted">{`×${positions.length}`}</span>
            )}
          </li>
        ))}
        {left > 0 && <li className="px-1 text-muted">{t('moreCharacters', { count: left })}</li>}
      </ul>
    </div>
  );
}

/** What would make the message cheaper: plain characters in place of typographic ones, or fewer characters. */
function Savings({
  text,
  message,
  onReplace,
}: {
  text: string;
  message: SegmentedMessage;
  onReplace: (text: string) => void;
}): ReactNode {
  const t = useText();
  const replaced = replaceTypography(text);
  const cheaper = segmentMessage(replaced);
  if (replaced !== text && cheaper.segments < message.segments) {
    return (
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <span>{t('replaceSaves', { count: message.segments - cheaper.segments })}</span>
        <Button size="small" onClick={() => onReplace(replaced)}>
          {t('replace')}
        </Button>
      </div>
    );
  }
  const last = message.parts.at(-1);
  const isNearlyEmpty = last !== undefined && last.unitsUsed <= message.unitsPerSegment / 8;
  if (message.segments < 2 || !isNearlyEmpty) return null;
  return (
    <p className="mt-3">
      {t('shortenSaves', { count: message.segments === 2 ? excessOf(message) : last.unitsUsed })}
    </p>
  );
}

/** A message of two segments that becomes one gains the room of the header, so less must go than the second holds. */
function excessOf({ unitsUsed, encoding }: SegmentedMessage): number {
  return unitsUsed - (encoding === 'gsm7' ? 160 : 70);
}

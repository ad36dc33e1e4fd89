import { hoursBetween, parseReading } from '../reading.ts';
import { differenceFlag } from './check-start.ts';

export interface LastReadingView {
  value: string;
  by: string | null;
  /** Day such as '12 May', in the school's time zone. */
  on: string | null;
}

/** Says how a start reading differs from the last one; undefined if it does not. */
export function differenceText(last: LastReadingView | null, text: string): string | undefined {
  const start = parseReading(text);
  if (last === null || start === undefined) return undefined;
  const kind = differenceFlag(start, last.value)?.kind;
  if (kind === 'below') return `Lower than the last recorded reading (${lastReadingText(last)}).`;
  return kind === 'gap' ? `${hoursBetween(last.value, start)} h not logged since the last flight.` : undefined;
}

function lastReadingText({ value, by, on }: LastReadingView): string {
  return [by === null ? value : `${value} by ${by}`, on].filter((part) => part !== null).join(', ');
}

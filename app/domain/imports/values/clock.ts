import { ValueProblem } from './value-problem.ts';

const CLOCK =
  /^(\d{1,2})(?:[:h.]|\s*uhr\s*)?(\d{2})?(?::(\d{2})(?:\.\d+)?)?\s*(uhr|h|[ap]\.?m\.?|(?<=:\d\d\s*)[ap])?$/i;

/** 'HH:MM', or with seconds that are not zero: of '9:05', '9h05', '0905', '2:05 pm', '2:05p', '14.05 Uhr'. */
export function parseClock(text: string): string {
  const clock = readClock(text);
  if (clock === undefined) throw new ValueProblem(`"${text.trim()}" is no time.`);
  return clock;
}

/** As `parseClock`; undefined for what is no time. */
export function readClock(text: string): string | undefined {
  const [, first = '', minutes = '00', seconds = '00', suffix = ''] = CLOCK.exec(withFourFigures(text.trim())) ?? [];
  const hours = toHours(first, suffix);
  if (hours === undefined || Number(minutes) > 59 || Number(seconds) > 59 || /^\d{1,2}$/.test(text.trim()))
    return undefined;
  const clock = `${String(hours).padStart(2, '0')}:${minutes}`;
  return seconds === '00' ? clock : `${clock}:${seconds}`;
}

function toHours(text: string, suffix: string): number | undefined {
  const hours = Number(text);
  if (text === '' || hours > 23) return undefined;
  const half = suffix[0]?.toLowerCase();
  if (half !== 'a' && half !== 'p') return hours;
  if (hours < 1 || hours > 12) return undefined;
  return (hours % 12) + (half === 'p' ? 12 : 0);
}

/** '905' is five past nine. */
function withFourFigures(text: string): string {
  return /^\d{3}$/.test(text) ? `0${text}` : text;
}

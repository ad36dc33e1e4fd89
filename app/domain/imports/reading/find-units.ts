import { fromHundredths } from '../../reading.ts';
import { parseHundredthsInWords, parseStrictDecimal } from '../values/decimals.ts';
import { type DecimalSign, type Unit } from './answers.ts';
import { Ballot, type Cell, type ReadingsByWay } from './ballot.ts';

const HOURS_AND_MINUTES = /\bh{1,2}[.:]?mm\b/i;
const MINUTES = /(?<!\p{L})(?:min|mins|minutes?|minuten|minutos?)(?!\p{L})/iu;
const HOURS = /[([]\s*(?:h|hrs?|hours|std|stunden|heures|horas)\.?\s*[)\]]/i;
const COLON = /^\d+:\d{2}(?::\d{2})?$/;
/** It is in hundredths of an hour. */
const LONGEST = 2400;

/** In hundredths: block times hold taxiing and a meter may stand, so half or double counts, or a quarter of an hour beside. */
export function isNearHundredths(one: number, other: number): boolean {
  return Math.abs(one - other) <= 25 || (one <= 2 * other && other <= 2 * one);
}

const CLEARLY = 5;

/** Minutes after the point, '1.30', are a way where the heading says so, or where more rows are nearer to it than to decimals. */
class HoursBallot extends Ballot<Unit> {
  protected readonly isNamed: boolean;
  #nearer = 0;

  constructor(names: readonly Unit[], heading: Cell) {
    super([...names, 'hmm']);
    this.isNamed = HOURS_AND_MINUTES.test(heading.text.replaceAll('_', ' '));
    if (this.isNamed) this.vote(heading, { hmm: 'hmm' });
  }

  /** Holds what each way makes of a row's hours against what they should be; tenths look like both. */
  protected compare(texts: string[], hours: number, hmm: number | undefined, reference: number | null): void {
    if (hmm === undefined || reference === null || !texts.some((text) => /\.\d[1-9]$/.test(text))) return;
    const further = Math.abs(hours - reference) - Math.abs(hmm - reference);
    if (Math.abs(further) > CLEARLY) this.#nearer += Math.sign(further);
  }

  override get possible() {
    const ways = super.possible;
    return this.isNamed || this.#nearer > 0 ? ways : ways.filter((way) => way.name !== 'hmm' || way.for > 0);
  }
}

/** Lengths of flights against hours and minutes, by how long meters or clocks say they were. */
export class LengthBallot extends HoursBallot {
  constructor(
    heading: Cell,
    private readonly isTaught?: (hundredths: number) => boolean,
  ) {
    super(['hours', 'minutes'], heading);
    if (this.isNamed) return;
    if (MINUTES.test(heading.text)) this.vote(heading, { minutes: 'minutes' });
    else if (HOURS.test(heading.text)) this.vote(heading, { hours: 'hours' });
  }

  hold(cell: Cell, sign: DecimalSign, reference: number | null): void {
    const number = parseStrictDecimal(cell.text, sign);
    if (number === undefined || Number(number) === 0 || parseHundredthsInWords(cell.text) !== undefined) return;
    const fits = (hundredths: number) =>
      reference === null
        ? (this.isTaught?.(hundredths) ?? hundredths <= LONGEST)
        : isNearHundredths(hundredths, reference);
    const hours = Math.round(Number(number) * 100);
    const minutes = Math.round((Number(number) / 60) * 100);
    const isWhole = !number.includes('.');
    const hmm = hundredthsAfterPoint(number);
    this.compare([number], hours, hmm, reference);
    this.vote(cell, {
      ...(fits(hours) && { hours: `${number} h` }),
      ...(isWhole && fits(minutes) && { minutes: `${number} min` }),
      ...(hmm !== undefined && fits(hmm) && (this.isNamed || !this.isTaught) && { hmm: toColon(number) }),
    });
  }
}

const SCALES = [
  ['hours', 100],
  ['tenths', 10],
  ['hundredths', 1],
] as const;

/** Readings of one meter as they stand, without their point, or in hours and minutes. */
export class ReadingBallot extends HoursBallot {
  constructor(heading: Cell) {
    super(['hours', 'tenths', 'hundredths'], heading);
  }

  /** The reference is by clock, length or the other meter, in hundredths of an hour. */
  hold(cell: Cell, end: string, sign: DecimalSign, reference: number | null): void {
    const start = cell.text;
    if (start === '' || end === '') return;
    if (COLON.test(start) || COLON.test(end)) return this.vote(cell, { hmm: start });
    const [first, last] = [parseStrictDecimal(start, sign), parseStrictDecimal(end, sign)];
    if (first === undefined || last === undefined) return;
    const flown = Number(last) - Number(first);
    const [from, to] = [first, last].map(hundredthsAfterPoint);
    const flownAsMinutes = from === undefined || to === undefined ? undefined : to - from;
    const hmm = flownAsMinutes === undefined ? {} : { hmm: toColon(first) };
    if (first.includes('.') || last.includes('.')) {
      this.compare([first, last], flown * 100, flownAsMinutes, reference);
      return this.vote(cell, { hours: first, ...hmm });
    }
    const readings: ReadingsByWay<Unit> = {};
    for (const [unit, scale] of SCALES) {
      const hundredths = flown * scale;
      const fits =
        reference === null ? hundredths >= 30 && hundredths <= LONGEST : isNearHundredths(hundredths, reference);
      if (fits) readings[unit] = fromHundredths(Number(first) * scale);
    }
    this.vote(cell, { ...readings, ...(readings.hours !== undefined && hmm) });
  }
}

/** Reads '1.30' as an hour and a half, as '1.3' is where a spreadsheet has dropped the zero; undefined past 59 minutes. */
function hundredthsAfterPoint(number: string): number | undefined {
  const [hours, minutes = '0', ...more] = number.split('.');
  const written = minutes.padEnd(2, '0');
  return more.length > 0 || written.length > 2 || Number(written) > 59
    ? undefined
    : Number(hours) * 100 + Math.round((Number(written) / 60) * 100);
}

function toColon(number: string): string {
  const [hours, minutes = ''] = number.split('.');
  return `${hours}:${minutes.padEnd(2, '0')}`;
}

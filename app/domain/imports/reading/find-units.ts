import { fromHundredths } from '../../reading.ts';
import { strictDecimal } from '../values/decimals.ts';
import { type DecimalSign, type Unit } from './answers.ts';
import { Ballot, type Cell, type Readings } from './ballot.ts';

const HOURS_AND_MINUTES = /\bh{1,2}[.:]?mm\b/i;
const MINUTES = /(?<!\p{L})(?:min|mins|minutes?|minuten|minutos?)(?!\p{L})/iu;
const HOURS = /[([]\s*(?:h|hrs?|hours|std|stunden|heures|horas)\.?\s*[)\]]/i;
const COLON = /^\d+:\d{2}(?::\d{2})?$/;
const MINUTES_AFTER_POINT = /\.[0-5]\d$/;
/** It is in hundredths of an hour. */
const LONGEST = 2400;

/**
 * Block times hold taxiing, and a meter may stand: half or double counts, or a quarter of an hour beside it. All are
 * hundredths.
 */
export function isNear(one: number, other: number): boolean {
  return Math.abs(one - other) <= 25 || (one <= 2 * other && other <= 2 * one);
}

/** Lengths of flights against hours and minutes, by how long meters or clocks say they were. */
export class LengthBallot extends Ballot<Unit> {
  constructor(heading: Cell) {
    const isHmm = HOURS_AND_MINUTES.test(heading.text);
    super(isHmm ? ['hours', 'minutes', 'hmm'] : ['hours', 'minutes']);
    if (isHmm) this.vote(heading, { hmm: 'hmm' });
    else if (MINUTES.test(heading.text)) this.vote(heading, { minutes: 'minutes' });
    else if (HOURS.test(heading.text)) this.vote(heading, { hours: 'hours' });
  }

  hold(cell: Cell, sign: DecimalSign, reference: number | null): void {
    const number = strictDecimal(cell.text, sign);
    if (number === undefined) return;
    const fits = (hundredths: number) => (reference === null ? hundredths <= LONGEST : isNear(hundredths, reference));
    const hours = Math.round(Number(number) * 100);
    const minutes = Math.round((Number(number) / 60) * 100);
    const isWhole = !number.includes('.');
    this.vote(cell, {
      ...(fits(hours) && { hours: `${number} h` }),
      ...(isWhole && fits(minutes) && { minutes: `${number} min` }),
      ...(MINUTES_AFTER_POINT.test(number) && { hmm: number.replace('.', ':') }),
    });
  }
}

export interface ReadingsOfRow {
  row: number;
  start: string;
  end: string;
  /** By clock, length or the other meter, in hundredths of an hour. */
  reference: number | null;
}

const SCALES = [
  ['hours', 100],
  ['tenths', 10],
  ['hundredths', 1],
] as const;

/** Readings of one meter as they stand, without their point, or in hours and minutes. */
export class ReadingBallot extends Ballot<Unit> {
  readonly #isNamed: boolean;

  constructor(heading: Cell) {
    super(['hours', 'tenths', 'hundredths', 'hmm']);
    this.#isNamed = HOURS_AND_MINUTES.test(heading.text);
    if (this.#isNamed) this.vote(heading, { hmm: 'hmm' });
  }

  hold({ row, start, end, reference }: ReadingsOfRow, sign: DecimalSign): void {
    const cell = { row, text: start };
    if (COLON.test(start) || COLON.test(end)) return this.vote(cell, { hmm: start });
    const [first, last] = [strictDecimal(start, sign), strictDecimal(end, sign)];
    if (first === undefined || last === undefined) return;
    if (first.includes('.') || last.includes('.')) {
      const canBeMinutes = this.#isNamed && [first, last].every((text) => MINUTES_AFTER_POINT.test(text));
      return this.vote(cell, { hours: first, ...(canBeMinutes && { hmm: first.replace('.', ':') }) });
    }
    const flown = Number(last) - Number(first);
    const readings: Readings<Unit> = {};
    for (const [unit, scale] of SCALES) {
      const hundredths = flown * scale;
      const fits = reference === null ? hundredths >= 30 && hundredths <= LONGEST : isNear(hundredths, reference);
      if (fits) readings[unit] = fromHundredths(Number(first) * scale);
    }
    this.vote(cell, readings);
  }
}

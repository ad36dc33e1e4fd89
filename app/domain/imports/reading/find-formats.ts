import { parseDay } from '../values/days.ts';
import { strictDecimal } from '../values/decimals.ts';
import { ValueProblem } from '../values/value-problem.ts';
import { DATE_ORDERS, type DateOrder, DECIMAL_SIGNS, type DecimalSign } from './answers.ts';
import { TextBallot } from './ballot.ts';

const CLOCK = /[T\s,]+\d{1,2}[:h.]\d{2}(?![.\d]).*$/;

/** Days against the orders in which they can be written; a day after `latest` ('YYYY-MM-DD') is none. */
export function dateBallot(latest: string): TextBallot<DateOrder> {
  return new TextBallot(DATE_ORDERS, (text, order) => {
    const day = text.replace(CLOCK, '');
    // Nobody who writes points writes the month first.
    if (order === 'mdy' && /^\d{1,2}\.\s?\d/.test(day)) return undefined;
    try {
      const read = parseDay(day, order);
      return read > latest ? undefined : read;
    } catch (error) {
      if (error instanceof ValueProblem) return undefined;
      throw error;
    }
  });
}

/** '3 April 2025' */
export function dayInWords(day: string): string {
  return WORDS.format(new Date(`${day}T00:00Z`));
}

const WORDS = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** Readings and hours against both signs: they have two decimals at most, so that '1.234' is more than a thousand. */
export function decimalBallot(): TextBallot<DecimalSign> {
  return new TextBallot(DECIMAL_SIGNS, (text, sign) => {
    const number = /\d[.,]\d/.test(text) ? strictDecimal(text, sign) : undefined;
    return number === undefined || /\.\d{3}/.test(number) ? undefined : number;
  });
}

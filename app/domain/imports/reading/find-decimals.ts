import { strictDecimal } from '../values/decimals.ts';
import { DECIMAL_SIGNS, type DecimalSign } from './answers.ts';
import { TextBallot } from './ballot.ts';

/** Readings and hours against both signs: they have two decimals at most, so that '1.234' is more than a thousand. */
export function decimalBallot(): TextBallot<DecimalSign> {
  return new TextBallot(DECIMAL_SIGNS, (text, sign) => {
    const number = /\d[.,]\d/.test(text) ? strictDecimal(text, sign) : undefined;
    return number === undefined || /\.\d{3}/.test(number) ? undefined : number;
  });
}

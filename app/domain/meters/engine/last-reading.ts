import { probabilityOf, type Sighting } from './reader.ts';

/** What is known of a meter before its photo is read. */
export interface Known {
  /** Its last reading, as '1234.5'. */
  lastReading?: string | undefined;
  /** How many digits it has, leading zeros and tenths included. */
  digits?: number | undefined;
}

export interface Expected {
  digits: string;
  probability: number;
  /** Its share among all that the photo may show, hours shortly after the last reading weighed more. */
  share: number;
  /** Whether it lies in the twelve hours from the last reading. */
  near: boolean;
}

const TENTHS_AHEAD = 120;
/** What a reading elsewhere weighs beside one in the twelve hours from the last: little, never nothing. */
const ELSEWHERE = 0.02;

/** The likeliest reading if those from the last one to twelve hours later weigh more; undefined without a last one. */
export function expectedReading({ digits, probability, steps }: Sighting, known: Known): Expected | undefined {
  if (known.lastReading === undefined) return undefined;
  const last = Math.floor(Number(known.lastReading) * 10 + 1e-6);
  const length = known.digits ?? digits.length;
  const near = Array.from({ length: TENTHS_AHEAD + 1 }, (_, ahead) => String(last + ahead).padStart(length, '0'))
    .filter((one) => one.length === length)
    .map((one) => ({ digits: one, probability: probabilityOf(steps, one), near: true, weight: 1 }));
  const elsewhere = near.some((one) => one.digits === digits) ? [] : [{ digits, probability, near: false, weight: ELSEWHERE }];
  const among = [...near, ...elsewhere].map(({ weight, ...one }) => ({ ...one, share: weight * one.probability }));
  const total = among.reduce((sum, { share }) => sum + share, 0);
  const best = among.reduce((a, b) => (b.share > a.share ? b : a));
  return { ...best, share: total > 0 ? best.share / total : 0 };
}

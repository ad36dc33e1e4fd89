import { toHundredths } from '#app/domain/reading.ts';
import type { MeterReadings } from '#app/domain/readings/meters.ts';
import { METER_TYPES } from '#app/domain/readings/meters.ts';

/** Ways to get a reading wrong: what is typed for both meters instead of what they show. */
export const SLIPS: Record<string, (truth: MeterReadings, earlier: MeterReadings) => MeterReadings[]> = {
  'a digit more': eachMeter((digits) =>
    [...places(digits), digits.length].flatMap((at) =>
      [...'0123456789'].map((digit) => digits.slice(0, at) + digit + digits.slice(at)),
    ),
  ),
  'a digit fewer': eachMeter((digits) => places(digits).map((at) => digits.slice(0, at) + digits.slice(at + 1))),
  'two digits swapped': eachMeter((digits) =>
    [...digits].flatMap((digit, at) => {
      const to = digits[at + 1] === '.' ? at + 2 : at + 1;
      const other = digits[to];
      if (digit === '.' || other === undefined) return [];
      return [digits.slice(0, at) + other + digits.slice(at + 1, to) + digit + digits.slice(to + 1)];
    }),
  ),
  'the tenth off by one': eachMeter((digits) =>
    [-10, 10].map((tenth) => ((toHundredths(digits) + tenth) / 100).toFixed(digits.split('.')[1]?.length ?? 0)),
  ),
  '1 and 7 misread': eachMeter((digits) => misread(digits, '17')),
  '3 and 8 misread': eachMeter((digits) => misread(digits, '38')),
  '5 and 6 misread': eachMeter((digits) => misread(digits, '56')),
  'Hobbs and tach exchanged': ({ hobbs, tachometer }) => [{ hobbs: tachometer, tachometer: hobbs }],
  'the same meter twice': ({ hobbs, tachometer }) => [
    { hobbs, tachometer: hobbs },
    { hobbs: tachometer, tachometer },
  ],
  'the last digit dropped': eachMeter((digits) => [digits.slice(0, -1).replace(/\.$/, '')]),
  'the point lost': eachMeter((digits) => [digits.replace('.', '')]),
  "yesterday's photo": (truth, earlier) => METER_TYPES.map((meter) => ({ ...truth, [meter]: earlier[meter] })),
};

function eachMeter(slip: (digits: string) => string[]) {
  return (truth: MeterReadings): MeterReadings[] =>
    METER_TYPES.flatMap((meter) => slip(truth[meter]).map((typed) => ({ ...truth, [meter]: typed })));
}

function misread(digits: string, [one = '', other = '']: string): string[] {
  return [...digits].flatMap((digit, at) => {
    const taken = digit === one ? other : digit === other ? one : undefined;
    return taken === undefined ? [] : [digits.slice(0, at) + taken + digits.slice(at + 1)];
  });
}

function places(digits: string): number[] {
  return [...digits].flatMap((character, at) => (character === '.' ? [] : [at]));
}

import { decimalsOf } from '../reading.ts';

const LOOK_ALIKES: Readonly<Record<string, string>> = { 1: '7', 7: '1', 3: '8', 8: '3', 5: '6', 6: '5' };
const DIGITS = [...'0123456789'];

/** Returns, in hundredths, what one mistake in typing may have made of a reading; `like` shows the meter's decimals. */
export function readingsOneTypoAway(reading: string, like: string): number[] {
  const [whole = '', fraction = ''] = reading.split('.');
  const digits = whole + fraction;
  const decimals = [...new Set([fraction.length, decimalsOf(like)])];
  const meant = [
    ...decimals.flatMap((count) => [digits, ...withoutOneDigit(digits)].map((text) => placePoint(text, count))),
    ...[...withSwappedDigits(digits), ...withLookAlikes(digits)].map((text) => placePoint(text, fraction.length)),
    ...(fraction.length < decimalsOf(like)
      ? withOneMoreDigit(digits).map((text) => placePoint(text, decimalsOf(like)))
      : []),
  ];
  return [...new Set(meant)];
}

function withoutOneDigit(digits: string): string[] {
  return positions(digits).map((at) => digits.slice(0, at) + digits.slice(at + 1));
}

function withOneMoreDigit(digits: string): string[] {
  return [...positions(digits), digits.length].flatMap((at) =>
    DIGITS.map((digit) => digits.slice(0, at) + digit + digits.slice(at)),
  );
}

function withSwappedDigits(digits: string): string[] {
  return positions(digits).map(
    (at) => digits.slice(0, at) + digits.slice(at + 1, at + 2) + digits.charAt(at) + digits.slice(at + 2),
  );
}

function withLookAlikes(digits: string): string[] {
  return positions(digits).flatMap((at) => {
    const other = LOOK_ALIKES[digits.charAt(at)];
    return other === undefined ? [] : [digits.slice(0, at) + other + digits.slice(at + 1)];
  });
}

function positions(digits: string): number[] {
  return [...digits].map((_, at) => at);
}

function placePoint(digits: string, decimals: number): number {
  return Number(digits) * 10 ** (2 - decimals);
}

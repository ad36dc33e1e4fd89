export type MeterKey = 'hobbs' | 'tach';

export const METERS = ['hobbs', 'tach'] as const;

/** What somebody wrote down: hundredths of an hour, in whole numbers. */
export interface Noted {
  /** What the engine has run since the year began, whatever meter counted it. */
  count: number;
  /** What the meter shows above that. */
  offset: number;
  /** By how much the writing is off. */
  slip: number;
  hundredthsShown: boolean;
}

export interface MeterChange {
  oldLast: string;
  newFirst: string;
  reason: 'replaced' | 'rolled over';
}

/** One meter of an aircraft. What it has counted never goes back; what it shows does where it is changed. */
export class Meter {
  private count = 0;
  private hundredthsShown = false;

  constructor(private offset: number) {}

  run(hundredths: number): void {
    this.count += hundredths;
  }

  /** A new one, or the same from zero: nothing is counted between the two readings. */
  change(
    newFirst: number,
    reason: MeterChange['reason'],
    { hundredthsShown = this.hundredthsShown } = {},
  ): MeterChange {
    const oldLast = textOf(this.read());
    this.offset = newFirst - this.count;
    this.hundredthsShown = hundredthsShown;
    return { oldLast, newFirst: textOf(this.read()), reason };
  }

  read(slip = 0): Noted {
    return { count: this.count, offset: this.offset, slip, hundredthsShown: this.hundredthsShown };
  }

  get shown(): number {
    return this.count + this.offset;
  }
}

/** '1234.5', or '1234.55' from a meter that shows hundredths. */
export function textOf({ count, offset, slip, hundredthsShown }: Noted): string {
  const shown = count + offset + slip;
  const digits = String(shown).padStart(3, '0');
  return `${digits.slice(0, -2)}.${hundredthsShown ? digits.slice(-2) : digits.slice(-2, -1)}`;
}

/** Hundredths between two notes, across any change of meters. */
export function hoursBetween(from: Noted, to: Noted): number {
  return to.count + to.slip - from.count - from.slip;
}

/** '1.30' and '1.3' as 130, '-0.7' as -70. */
export function hundredthsOf(text: string): number {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  if (!/^-?\d+(\.\d{1,2})?$/.test(text)) throw new Error(`'${text}' is no number of hours`);
  return Number(`${sign}${whole}${fraction.padEnd(2, '0')}`);
}

import { MAX_OVERNIGHT_INSTRUCTION_HOURS, MAX_UNFLAGGED_INSTRUCTION_HUNDREDTHS, MS_PER_HOUR } from '#app/limits.ts';
import { hoursText, shortHours, toHundredths } from '../reading.ts';

export interface Instruction {
  timeIn: string | null | undefined;
  timeOut: string | null | undefined;
  /** Hundredths of an hour that the Hobbs meter counted, or from departure to landing if that is longer. */
  flightHundredths: number;
  groundSchoolTime: string | null | undefined;
}

export interface InstructionNote {
  isOdd: boolean;
  text: string;
}

/** Holds the instructor's hours against flight and ground school, in words; undefined without both times. */
export function instructionNote({ timeIn, timeOut, ...rest }: Instruction): InstructionNote | undefined {
  if (!timeIn || !timeOut) return undefined;
  const total = instructorHours(timeIn, timeOut);
  if (total === null) return { isOdd: true, text: `Time out (${timeOut}) is before time in (${timeIn}).` };
  const ground = rest.groundSchoolTime || '0';
  const explained = rest.flightHundredths + toHundredths(ground);
  if (rest.flightHundredths <= 0 || toHundredths(total) <= explained + MAX_UNFLAGGED_INSTRUCTION_HUNDREDTHS) {
    return { isOdd: false, text: `Total: ${total} hours.` };
  }
  const flight = hoursText(rest.flightHundredths);
  return {
    isOdd: true,
    text: `Total: ${total} hours, more than the flight (${flight} h) and ground school (${shortHours(ground)} h) together.`,
  };
}

/** Returns the time from departure to landing; 0 if nobody has said when the flight ended. */
export function blockHundredths(departed: Date, landed: Date | null): number {
  return landed ? Math.round(((landed.getTime() - departed.getTime()) / MS_PER_HOUR) * 100) : 0;
}

const DAY_MINUTES = 24 * 60;

/** Returns hours between two 'HH:MM', two decimals, at most 16 past midnight; null if one is missing or implausible. */
export function instructorHours(timeIn: string | null, timeOut: string | null): string | null {
  if (timeIn === null || timeOut === null) return null;
  const minutes = minutesOf(timeOut) - minutesOf(timeIn);
  if (minutes >= 0) return (minutes / 60).toFixed(2);
  return minutes + DAY_MINUTES <= MAX_OVERNIGHT_INSTRUCTION_HOURS * 60
    ? ((minutes + DAY_MINUTES) / 60).toFixed(2)
    : null;
}

function minutesOf(time: string): number {
  const [hours = '', minutes = ''] = time.split(':');
  return Number(hours) * 60 + Number(minutes);
}

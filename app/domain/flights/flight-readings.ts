import { toHundredths } from '../reading.ts';
import { AppError } from '../app-error.ts';
import { texts } from '../texts.ts';

/** Hours as decimal strings. */
export interface FlightReadings {
  startHobbsTime: string;
  startTachTime: string;
  endHobbsTime: string;
  endTachTime: string;
}

/** Throws 'invalid' beside each end reading that is not above its start. */
export function assertEndAboveStart({
  startHobbsTime,
  startTachTime,
  endHobbsTime,
  endTachTime,
}: FlightReadings): void {
  const wrong = {
    ...(toHundredths(endHobbsTime) <= toHundredths(startHobbsTime) && { endHobbsTime: texts.endHobbsNotAboveStart }),
    ...(toHundredths(endTachTime) <= toHundredths(startTachTime) && { endTachTime: texts.endTachNotAboveStart }),
  };
  if (Object.keys(wrong).length > 0) throw new AppError('invalid', Object.values(wrong).join('\n'), wrong);
}

/** Facts about a meter that are known before its photo is read. */
export interface MeterContext {
  /** Hours as '1234.5'. */
  lastReading?: string | undefined;
  /** The reading that the meter can have reached by now; any reading above the last one is possible without it. */
  highestReading?: string | undefined;
  /** Digit count with leading zeros and tenths; other counts weigh little. */
  digits?: number | undefined;
  frame?: PhotoRegion | undefined;
}

/** A part of the photo, in fractions of its width and height from the upper left corner. */
export interface PhotoRegion {
  x: number;
  y: number;
  width: number;
  height: number;
}

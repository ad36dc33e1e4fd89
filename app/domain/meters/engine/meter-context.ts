/** What is known of a meter before its photo is read. */
export interface MeterContext {
  /** As '1234.5'. */
  lastReading?: string | undefined;
  /** Digit count with leading zeros and tenths; other counts weigh little. */
  digits?: number | undefined;
  frame?: Frame | undefined;
}

/** Fractions of the photo's width and height from its upper left corner. */
export interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** What is known of a meter before its photo is read. */
export interface MeterContext {
  /** Its last reading, as '1234.5'. */
  lastReading?: string | undefined;
  /** How many digits it has, leading zeros and tenths included; readings of another length weigh little. */
  digits?: number | undefined;
  /** Where the counter was held. */
  frame?: Frame | undefined;
}

/** A part of the photo, as fractions of its width and height from the upper left corner. */
export interface Frame {
  x: number;
  y: number;
  width: number;
  height: number;
}

import sharp from 'sharp';
import type { MeterType } from '#db/tables.ts';
import { recognizeDigits } from './tesseract.server.ts';

export interface MeterReading {
  /** What the meter shows, as a decimal string; '' when no reading was found. */
  detectedText: string;
  /** How likely it is right, 0 to 1. */
  confidence: number;
}

// Of what the engine is surest of, four in ten readings of real meters are right: its certainty is scaled to that.
const TRUST = 0.4;
// Counters are a few per cent of a photo's height; the engine wants figures of thirty pixels and more.
const WIDTH = 1600;

/**
 * Reads a Hobbs or tach meter from a JPEG of ours: the only place that knows how it is done.
 * Throws 'unavailable' when too many photos are waiting and 'badGateway' when the engine fails or takes too long.
 */
export async function readMeter(photo: Buffer, _meter: { meterType: MeterType }): Promise<MeterReading> {
  const image = await sharp(photo).grayscale().normalize().resize({ width: WIDTH }).sharpen().png().toBuffer();
  const words = await recognizeDigits(image);
  const readings = words.flatMap(({ text, confidence }) => toReading(text, confidence));
  return (
    readings.toSorted((a, b) => weight(b) - weight(a))[0] ?? { detectedText: '', confidence: 0 }
  );
}

function toReading(text: string, confidence: number): MeterReading[] {
  const detectedText = text.match(/\d{2,6}(\.\d{1,2})?/)?.[0];
  return detectedText === undefined ? [] : [{ detectedText, confidence: TRUST * confidence }];
}

function weight({ detectedText, confidence }: MeterReading): number {
  return confidence * Math.min(detectedText.replace('.', '').length, 6);
}

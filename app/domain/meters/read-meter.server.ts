import sharp from 'sharp';
import type { MeterType } from '#db/tables.ts';
import { askEngine, EngineMissing } from './engine.server.ts';
import type { Known } from './engine/last-reading.ts';
import type { Answer } from './engine/thread.ts';
import { agreeing, withExpected, ofAnswer } from './likelihood.ts';
import { tesseractAgrees, tesseractReading } from './tesseract-reading.server.ts';

export interface MeterReading {
  /** What the meter shows, as a decimal string; '' when no reading was found. */
  detectedText: string;
  /** How likely it is right, 0 to 1. */
  confidence: number;
  /** What the photo alone shows, where the last reading makes another one likelier. */
  otherText?: string;
}

// Below this, what was found is most likely no counter.
const LEAST = 0.04;
// Where the second voice can make a difference to the word, it is asked.
const UNDECIDED = { from: 0.3, to: 0.85 };

/**
 * Reads a Hobbs or tach meter from a JPEG of ours: the only place that knows how it is done. The last drum or figure
 * counts tenths. Throws 'unavailable' when too many photos are waiting and 'badGateway' when the engine fails or takes
 * too long.
 */
export async function readMeter(photo: Buffer, known: { meterType: MeterType } & Known): Promise<MeterReading> {
  const { data, info } = await sharp(photo).toColourspace('srgb').removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const { lastReading, digits } = known;
  const question = { rgb: new Uint8Array(data), rows: info.height, columns: info.width, lastReading, digits };
  try {
    return await weighed(await askEngine(question));
  } catch (error) {
    if (error instanceof EngineMissing) return tesseractReading(photo);
    throw error;
  }
}

async function weighed(answer: Answer): Promise<MeterReading> {
  const { best, expected } = answer;
  if (!best) return { detectedText: '', confidence: 0 };
  let confidence = ofAnswer({ ...answer, best });
  if (confidence >= UNDECIDED.from && confidence < UNDECIDED.to && (await tesseractAgrees(best.strip, best.digits))) {
    confidence = agreeing(confidence);
  }
  const reading = { detectedText: inHours(best.digits), confidence };
  const final = expected ? withExpected(reading, { ...expected, detectedText: inHours(expected.digits) }) : reading;
  return final.confidence < LEAST ? { detectedText: '', confidence: 0 } : final;
}

/** '012345' as '1234.5'. */
function inHours(digits: string): string {
  const tenths = digits.padStart(2, '0');
  return `${tenths.slice(0, -1).replace(/^0+(?=\d)/, '')}.${tenths.slice(-1)}`;
}

import sharp from 'sharp';
import type { MeterType } from '#db/tables.ts';
import type { Photo } from './normalize-photo.server.ts';
import { askEngine, EngineMissing } from './engine.server.ts';
import type { Grey } from './engine/grayscale.ts';
import type { Known } from './engine/meter-context.ts';
import { inHours } from './engine/last-reading.ts';
import type { Answer } from './engine/worker.ts';
import { agreeing, lacking, ofAnswer, withExpected } from './confidence-model.ts';
import { questionOf } from './engine-input.server.ts';
import { tesseractAgrees, tesseractReading } from './tesseract-reading.server.ts';

export interface MeterReading {
  /** What the meter shows, as a decimal string; '' when no reading was found. */
  detectedText: string;
  /** How likely it is right, 0 to 1. */
  confidence: number;
  /** What the photo alone shows, where the last reading makes another one likelier. */
  otherText?: string;
  /** How many digits were read, leading zeros and tenths included. */
  digits?: number;
  /** The counter as it was read, upright and in grey. */
  crop?: Photo;
}

// Below this, what was found is most likely no counter.
const LEAST = 0.04;
// Where the second voice can make a difference to the word, it is asked.
const UNDECIDED = { from: 0.3, to: 0.85 };
const CROP_QUALITY = 80;

/**
 * Reads a Hobbs or tach meter from a JPEG of ours: the only place that knows how it is done. The last drum or figure
 * counts tenths. Throws 'unavailable' when too many photos are waiting and 'badGateway' when the engine fails or takes
 * too long.
 */
export async function readMeter(photo: Buffer, known: { meterType: MeterType } & Known): Promise<MeterReading> {
  const question = await questionOf(photo, known);
  try {
    return await weighed(await askEngine(question), known.digits);
  } catch (error) {
    if (error instanceof EngineMissing) return tesseractReading(photo);
    throw error;
  }
}

async function weighed(answer: Answer, drums: number | undefined): Promise<MeterReading> {
  const { best, expected } = answer;
  if (!best) return { detectedText: '', confidence: 0 };
  let confidence = ofAnswer({ ...answer, best });
  if (drums !== undefined && best.digits.length !== drums) confidence = lacking(confidence);
  if (confidence >= UNDECIDED.from && confidence < UNDECIDED.to && (await tesseractAgrees(best.strip, best.digits))) {
    confidence = agreeing(confidence);
  }
  const reading = withExpected({ detectedText: inHours(best.digits), confidence }, expected);
  if (reading.confidence < LEAST) return { detectedText: '', confidence: 0 };
  return { ...reading, digits: best.digits.length, crop: await cropOf(best.strip) };
}

async function cropOf({ pixels, rows, columns }: Grey): Promise<Photo> {
  const strip = sharp(pixels, { raw: { width: columns, height: rows, channels: 1 } });
  return { content: await strip.jpeg({ quality: CROP_QUALITY }).toBuffer(), width: columns, height: rows };
}

import sharp from 'sharp';
import type { MeterType, OtherKind } from '#db/tables.ts';
import type { NormalizedPhoto } from './normalize-photo.server.ts';
import { EngineUnavailableError, runEngine } from './engine.server.ts';
import type { GrayscaleImage } from './engine/grayscale.ts';
import type { MeterContext } from './engine/meter-context.ts';
import { digitsToHours, isSoonAfter } from './engine/last-reading.ts';
import type { EngineResult, MeterEvidence } from './engine/result.ts';
import { capBelowHigh, estimateConfidence } from './confidence-model.ts';
import { toEngineRequest } from './engine-input.server.ts';
import { type Figure, isInDoubt, toFiguresWithDoubt } from './figures.ts';
import { recognizeDigits } from './tesseract.server.ts';

export interface MeterReading {
  /** Reading; '' if nothing was detected. */
  detectedText: string;
  /** Confidence from 0 to 1. */
  confidence: number;
  /** True if the meter cannot show this now: below its last reading, or farther than can have been flown since. */
  isImpossible?: boolean;
  /** Reading that the photo alone shows, if the last reading makes another one likelier; else another counter in it. */
  otherText?: string;
  otherKind?: OtherKind;
  /** Figures from left to right; none if the counter was not located. */
  figures?: Figure[];
  /** Digit count, leading zeros and tenths included. */
  digits?: number;
  crop?: NormalizedPhoto;
}

// A detection below it is most likely not a meter.
const MIN_CONFIDENCE = 0.025;
const CROP_QUALITY = 80;

/** Reads a meter, whose last digit is tenths (docs/decisions/040). Throws 'unavailable' or 'badGateway'. */
export async function readMeter(photo: Buffer, known: { meterType: MeterType } & MeterContext): Promise<MeterReading> {
  const question = await toEngineRequest(photo, known);
  try {
    return await toMeterReading(await runEngine(question), known);
  } catch (error) {
    if (error instanceof EngineUnavailableError) return readWithTesseract(photo);
    throw error;
  }
}

async function toMeterReading({ best, other }: EngineResult, known: MeterContext): Promise<MeterReading> {
  if (!best) return { detectedText: '', confidence: 0 };
  const { confidence, raw, isLastSure } = estimateConfidence(best, known.digits);
  if (raw < MIN_CONFIDENCE && !best.expected?.near) return { detectedText: '', confidence: 0 };
  const figures = toFiguresWithDoubt(best.figures, {
    isRuledOut: (at, figure) => isRuledOut(best, at, figure, known.lastReading),
    lastNeighbour: isLastSure ? undefined : best.lastNeighbour,
  });
  // Without a last reading nothing tells which of two counters is the meter, or that a last drum was left out.
  const isAmbiguous = (other !== undefined || best.isCutOff) && !best.expected?.near;
  const needsLook = isAmbiguous || isInDoubt(figures) || best.reading !== best.freeReading;
  return {
    detectedText: best.reading,
    confidence: needsLook ? capBelowHigh(confidence) : confidence,
    isImpossible: best.expected?.isPossible === false,
    ...otherReading(best, other),
    digits: best.digits.length,
    figures,
    crop: await toCropPhoto(best.strip),
  };
}

/** Returns true if the reading fits the last one, and would not with the other figure. */
function isRuledOut({ digits, expected }: MeterEvidence, at: number, other: string, lastReading?: string): boolean {
  if (lastReading === undefined || !expected?.near) return false;
  return !isSoonAfter(digitsToHours(digits.slice(0, at) + other + digits.slice(at + 1)), lastReading);
}

function otherReading(
  { reading, freeReading }: MeterEvidence,
  counter: string | undefined,
): Pick<MeterReading, 'otherText' | 'otherKind'> {
  if (reading !== freeReading) return { otherText: freeReading, otherKind: 'same counter' };
  const other = counter === undefined ? reading : digitsToHours(counter);
  return other === reading ? {} : { otherText: other, otherKind: 'other counter' };
}

async function toCropPhoto({ pixels, rows, columns }: GrayscaleImage): Promise<NormalizedPhoto> {
  const strip = sharp(pixels, { raw: { width: columns, height: rows, channels: 1 } });
  return { content: await strip.jpeg({ quality: CROP_QUALITY }).toBuffer(), width: columns, height: rows };
}

// Tesseract at its highest confidence is right for four in ten meters.
const TESSERACT_RELIABILITY = 0.4;
// Tesseract needs digits 30 px high; a meter's are a few per cent of the photo's height.
const IMAGE_WIDTH = 1600;

/** Reads a photo with never more than low confidence; '' if nothing was detected. */
async function readWithTesseract(photo: Buffer): Promise<{ detectedText: string; confidence: number }> {
  const image = await sharp(photo).grayscale().normalize().resize({ width: IMAGE_WIDTH }).sharpen().png().toBuffer();
  const readings = (await recognizeDigits(image)).flatMap(({ text, confidence }) => {
    const detectedText = text.match(/\d{2,6}(\.\d{1,2})?/)?.[0];
    return detectedText === undefined ? [] : [{ detectedText, confidence: TESSERACT_RELIABILITY * confidence }];
  });
  const weight = (one: (typeof readings)[number]) =>
    one.confidence * Math.min(one.detectedText.replace('.', '').length, 6);
  return readings.toSorted((a, b) => weight(b) - weight(a))[0] ?? { detectedText: '', confidence: 0 };
}

import sharp from 'sharp';
import type { MeterType, OtherKind } from '#db/tables.ts';
import type { NormalizedPhoto } from './normalize-photo.server.ts';
import { runEngine, EngineUnavailableError } from './engine.server.ts';
import type { GrayscaleImage } from './engine/grayscale.ts';
import type { MeterContext } from './engine/meter-context.ts';
import { digitsToHours, type ExpectedReading, isSoonAfter } from './engine/last-reading.ts';
import type { EngineResult } from './engine/worker.ts';
import {
  boostForAgreement,
  capBelowHigh,
  penalizeDigitCount,
  estimateConfidence,
  combineWithExpectedReading,
} from './confidence-model.ts';
import { toEngineRequest } from './engine-input.server.ts';
import { type Figure, isInDoubt, toFigures } from './figures.ts';
import { confirmWithTesseract, readWithTesseract } from './tesseract-reading.server.ts';

export interface MeterReading {
  /** Reading; '' if nothing was detected. */
  detectedText: string;
  /** Confidence from 0 to 1. */
  confidence: number;
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
// Tesseract checks readings only where it can change the confidence level.
const CROSS_CHECK_RANGE = { from: 0.3, to: 0.85 };
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

async function toMeterReading(
  answer: EngineResult,
  { digits: drums, lastReading }: MeterContext,
): Promise<MeterReading> {
  const { best, expected } = answer;
  if (!best) return { detectedText: '', confidence: 0 };
  let confidence = estimateConfidence({ ...answer, best });
  if (drums !== undefined && best.digits.length !== drums) confidence = penalizeDigitCount(confidence);
  if (
    confidence >= CROSS_CHECK_RANGE.from &&
    confidence < CROSS_CHECK_RANGE.to &&
    (await confirmWithTesseract(best.strip, best.digits))
  ) {
    confidence = boostForAgreement(confidence);
  }
  const reading = combineWithExpectedReading({ detectedText: digitsToHours(best.digits), confidence }, expected);
  if (reading.confidence < MIN_CONFIDENCE) return { detectedText: '', confidence: 0 };
  const figures = toFigures(best.figures, (at, other) => isRuledOut(best.digits, at, other, expected, lastReading));
  return {
    ...reading,
    confidence: isInDoubt(figures) || isCutOff(best, expected) ? capBelowHigh(reading.confidence) : reading.confidence,
    ...otherReading(reading, answer.other),
    digits: best.digits.length,
    figures,
    crop: await toCropPhoto(best.strip),
  };
}

/** Returns true if a wider crop shows other figures, and the reading does not fit the last one. */
function isCutOff(
  { digits, wider }: NonNullable<EngineResult['best']>,
  expected: ExpectedReading | undefined,
): boolean {
  return wider !== undefined && wider !== digits && !fitsLastReading(digits, expected);
}

/** Returns true if the reading fits the last one, and would not with the other figure. */
function isRuledOut(
  digits: string,
  at: number,
  other: string,
  expected: ExpectedReading | undefined,
  lastReading: string | undefined,
): boolean {
  if (lastReading === undefined || !fitsLastReading(digits, expected)) return false;
  return !isSoonAfter(digitsToHours(digits.slice(0, at) + other + digits.slice(at + 1)), lastReading);
}

function fitsLastReading(digits: string, expected: ExpectedReading | undefined): boolean {
  return expected?.near === true && expected.reading === digitsToHours(digits);
}

function otherReading(
  { detectedText, otherText }: { detectedText: string; otherText?: string },
  counter: string | undefined,
): Pick<MeterReading, 'otherText' | 'otherKind'> {
  if (otherText !== undefined) return { otherText, otherKind: 'same counter' };
  const reading = counter === undefined ? detectedText : digitsToHours(counter);
  return reading === detectedText ? {} : { otherText: reading, otherKind: 'other counter' };
}

async function toCropPhoto({ pixels, rows, columns }: GrayscaleImage): Promise<NormalizedPhoto> {
  const strip = sharp(pixels, { raw: { width: columns, height: rows, channels: 1 } });
  return { content: await strip.jpeg({ quality: CROP_QUALITY }).toBuffer(), width: columns, height: rows };
}

import sharp from 'sharp';
import { recognizeDigits } from './tesseract.server.ts';

// Tesseract at its highest confidence is right for four in ten meters.
const TESSERACT_RELIABILITY = 0.4;
// Tesseract needs digits 30 px high; a meter's are a few per cent of the photo's height.
const IMAGE_WIDTH = 1600;

/** Reads a photo with never more than low confidence; '' if nothing was detected. */
export async function readWithTesseract(photo: Buffer): Promise<{ detectedText: string; confidence: number }> {
  const image = await sharp(photo).grayscale().normalize().resize({ width: IMAGE_WIDTH }).sharpen().png().toBuffer();
  const readings = (await recognizeDigits(image)).flatMap(({ text, confidence }) => {
    const detectedText = text.match(/\d{2,6}(\.\d{1,2})?/)?.[0];
    return detectedText === undefined ? [] : [{ detectedText, confidence: TESSERACT_RELIABILITY * confidence }];
  });
  const weight = (one: (typeof readings)[number]) =>
    one.confidence * Math.min(one.detectedText.replace('.', '').length, 6);
  return readings.toSorted((a, b) => weight(b) - weight(a))[0] ?? { detectedText: '', confidence: 0 };
}

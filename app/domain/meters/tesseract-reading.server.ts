import sharp from 'sharp';
import type { GrayscaleImage } from './engine/grayscale.ts';
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

/** Reads the photo again and compares; false if Tesseract is busy. */
export async function confirmWithTesseract(
  { pixels, rows, columns }: GrayscaleImage,
  digits: string,
): Promise<boolean> {
  const strip = sharp(pixels, { raw: { width: columns, height: rows, channels: 1 } });
  const image = await strip
    .extend({ top: 8, bottom: 8, left: 8, right: 8, extendWith: 'copy' })
    .normalize()
    .withMetadata({ density: 300 })
    .png()
    .toBuffer();
  const words = await recognizeDigits(image).catch(() => []);
  return words.map(({ text }) => text.replaceAll('.', '')).join('') === digits;
}

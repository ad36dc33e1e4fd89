import { runEngine, stopEngine } from '#app/domain/meters/engine.server.ts';
import { digitsToHours } from '#app/domain/meters/engine/last-reading.ts';
import { estimateConfidence } from '#app/domain/meters/confidence-model.ts';
import { toEngineRequest } from '#app/domain/meters/engine-input.server.ts';
import { readMeter } from '#app/domain/meters/read-meter.server.ts';
import { readWithTesseract } from '#app/domain/meters/tesseract-reading.server.ts';
import { stopTesseract } from '#app/domain/meters/tesseract.server.ts';
import {
  type LabelledPhoto,
  findLabelledPhotos,
  type Outcome,
  outcomeOf,
  summarize,
} from './support/labelled-photos.ts';

type Reader = (
  photo: LabelledPhoto,
  content: Buffer,
  otherPhoto: LabelledPhoto,
) => Promise<{ detectedText: string; confidence: number }>;

const FLIGHT_DURATIONS = [0.7, 1.2, 1.9, 2.4, 4.6];
let flightCount = 0;

const READERS: Record<string, Reader> = {
  'Tesseract alone': (_photo, content) => readWithTesseract(content),
  'nets alone': (_photo, content) => readWithNets(content),
  'nets and Tesseract': ({ meterType }, content) => readMeter(content, { meterType }),
  'with the last reading': (photo, content) =>
    readMeter(content, { meterType: photo.meterType, lastReading: readingBefore(photo) }),
  'with a wrong last reading': ({ meterType }, content, otherPhoto) =>
    readMeter(content, { meterType, lastReading: readingBefore(otherPhoto) }),
};

/** Compares the meter reader with and without its parts, on the photos of `npm run bench -- meters`. */
export async function bench([folder]: string[]): Promise<void> {
  const photos = await findLabelledPhotos(folder);
  if (!photos) return;
  for (const [name, read] of Object.entries(READERS)) {
    const outcomes: Outcome[] = [];
    for (const [at, photo] of photos.entries()) {
      outcomes.push(outcomeOf(await read(photo, await photo.content(), photos.at(at - 1)!), photo));
    }
    console.log(summarize(name, outcomes));
  }
  await Promise.all([stopEngine(), stopTesseract()]);
}

async function readWithNets(content: Buffer) {
  const result = await runEngine(await toEngineRequest(content));
  const { best } = result;
  return best
    ? { detectedText: digitsToHours(best.digits), confidence: estimateConfidence({ ...result, best }) }
    : { detectedText: '', confidence: 0 };
}

function readingBefore({ digits }: LabelledPhoto): string {
  flightCount += 1;
  return Math.max(Number(digitsToHours(digits)) - FLIGHT_DURATIONS[flightCount % FLIGHT_DURATIONS.length]!, 0).toFixed(
    1,
  );
}

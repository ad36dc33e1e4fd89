import { runEngine, stopEngine } from '#app/domain/meters/engine.server.ts';
import { inHours } from '#app/domain/meters/engine/last-reading.ts';
import { confidenceOf } from '#app/domain/meters/confidence-model.ts';
import { toEngineRequest } from '#app/domain/meters/engine-input.server.ts';
import { readMeter } from '#app/domain/meters/read-meter.server.ts';
import { readWithTesseract } from '#app/domain/meters/tesseract-reading.server.ts';
import { stopTesseract } from '#app/domain/meters/tesseract.server.ts';
import { type Labelled, labelledPhotos, type Outcome, outcomeOf, summary } from './support/labelled-photos.ts';

type Part = (
  photo: Labelled,
  content: Buffer,
  before: Labelled,
) => Promise<{ detectedText: string; confidence: number }>;

/** Hours that a flight may have lasted, by turns. */
const FLOWN = [0.7, 1.2, 1.9, 2.4, 4.6];
let flight = 0;

const PARTS: Record<string, Part> = {
  'Tesseract alone': (_photo, content) => readWithTesseract(content),
  'the nets alone': (_photo, content) => byNets(content),
  'and the second voice': ({ meterType }, content) => readMeter(content, { meterType }),
  'and the last reading': (photo, content) =>
    readMeter(content, { meterType: photo.meterType, lastReading: earlier(photo) }),
  'and a wrong last reading': ({ meterType }, content, other) =>
    readMeter(content, { meterType, lastReading: earlier(other) }),
};

/** What each part of the meter reader adds, on the photos of a folder as `npm run bench -- meters` takes it. */
export async function bench([given]: string[]): Promise<void> {
  const photos = await labelledPhotos(given);
  if (!photos) return;
  for (const [name, part] of Object.entries(PARTS)) {
    const outcomes: Outcome[] = [];
    for (const [at, photo] of photos.entries()) {
      outcomes.push(outcomeOf(await part(photo, await photo.content(), photos.at(at - 1)!), photo));
    }
    console.log(summary(name, outcomes));
  }
  await Promise.all([stopEngine(), stopTesseract()]);
}

async function byNets(content: Buffer) {
  const answer = await runEngine(await toEngineRequest(content));
  const { best } = answer;
  return best
    ? { detectedText: inHours(best.digits), confidence: confidenceOf({ ...answer, best }) }
    : { detectedText: '', confidence: 0 };
}

/** The meter's reading before the flight. */
function earlier({ digits }: Labelled): string {
  flight += 1;
  return Math.max(Number(inHours(digits)) - FLOWN[flight % FLOWN.length]!, 0).toFixed(1);
}

import { bestPath, likelyStrings, logProbability, SYMBOLS, type Steps } from './ctc.ts';
import { axes, box, fromUnit, grown, mapped, type Point, type Quad, type Size } from './geometry.ts';
import { peaks, type Found } from './finder.ts';
import type { GrayscaleImage, RgbImage } from './grayscale.ts';
import type { Frame, MeterContext } from './meter-context.ts';
import type { RunNet } from './nets.server.ts';

interface Place {
  quad: Quad;
  finder: number;
  closer: number;
}

interface Shown {
  digits: string;
  /** Mean probability over the crops, and that of the second best string. */
  probability: number;
  second: number;
  /** Share of crops that read the same digits alone. */
  agree: number;
  steps: Steps[];
}

export type CounterReading = Place & Shown;

/** Margins and offsets in widths and heights of the quad. */
type Change = readonly [x: number, y: number, shift: number, lift: number];

const LOOKS: Size[] = [
  { rows: 384, columns: 256 },
  { rows: 256, columns: 384 },
  { rows: 320, columns: 320 },
];
const WINDOW: Size = { rows: 128, columns: 192 };
const STRIP: Size = { rows: 32, columns: 192 };
const PLAIN: Size = { rows: 48, columns: 288 };
const CANDIDATES = 3;
const GLANCE = 2;
const OTHER_LENGTH = 0.05;
/** Searches beyond the viewfinder's frame, since a meter never fills a finder's input. */
const AROUND_FRAME = 1.8;
/** Weight above which the rest of the photo is not searched. */
const ENOUGH = 0.3;
/** Window widths of the refinements, in meter widths. */
const CLOSER = [2.4, 2.0, 2.0];
/** Margins and offsets of the crops that are read. */
const STRIPS: Change[] = [
  [0.04, 0.12, 0, 0],
  [0.02, 0.06, 0, 0],
  [0.07, 0.2, 0, 0],
  [0.05, 0.25, 0, 0.04],
];

/** Finds candidates, refines them, reads each with few crops, then the best with all. */
export async function readCounter(
  run: RunNet,
  photo: RgbImage,
  { digits, frame }: MeterContext = {},
): Promise<{ best?: CounterReading; rival: number }> {
  const seen: CounterReading[] = [];
  for (const region of regions(photo.size, frame)) {
    for (const found of await look(run, photo, region)) {
      const place = await lookCloser(run, photo, found);
      if (!place) continue;
      const steps = await read(run, photo, place.quad, STRIPS.slice(0, GLANCE));
      seen.push({ ...place, ...spelled(steps, digits) });
    }
    if (seen.some((one) => weight(one) >= ENOUGH)) break;
  }
  const first = seen.reduce<CounterReading | undefined>((a, b) => (a && weight(a) >= weight(b) ? a : b), undefined);
  if (!first) return { rival: 0 };
  const steps = [...first.steps, ...(await read(run, photo, first.quad, STRIPS.slice(GLANCE)))];
  const best = { ...first, ...spelled(steps, digits) };
  const others = seen.filter((one) => one !== first && one.digits !== best.digits);
  return best.digits === '' ? { rival: 0 } : { best, rival: Math.max(0, ...others.map(weight)) };
}

/** The meter as it was read, upright, with a margin. */
export function stripOf(photo: RgbImage, { quad }: CounterReading): GrayscaleImage {
  return photo.cut(varied(quad, STRIPS[0]!), PLAIN);
}

/** Mean over the crops. */
export function probabilityOf(steps: Steps[], digits: string): number {
  return steps.reduce((sum, one) => sum + Math.exp(logProbability(one, digits)), 0) / steps.length;
}

function weight({ probability, closer, finder }: CounterReading): number {
  return probability * closer * Math.sqrt(finder);
}

/** Search windows in pixels, around the viewfinder's frame first. */
function regions({ rows, columns }: Size, frame: Frame | undefined): Quad[] {
  const whole = box([columns / 2, rows / 2], columns, rows, 0);
  if (!frame) return [whole];
  const centre: Point = [(frame.x + frame.width / 2) * columns, (frame.y + frame.height / 2) * rows];
  const width = Math.max(frame.width * columns * AROUND_FRAME, 1);
  return [box(centre, width, Math.max(frame.height * rows * AROUND_FRAME, (2 / 3) * width), 0), whole];
}

async function look(run: RunNet, photo: RgbImage, region: Quad): Promise<Found[]> {
  const { centre, along, down } = axes(region);
  const scaleOf = (size: Size) =>
    Math.max((2 * Math.hypot(...down)) / size.rows, (2 * Math.hypot(...along)) / size.columns);
  const size = LOOKS.reduce((best, next) => (scaleOf(next) < scaleOf(best) ? next : best));
  const scale = scaleOf(size);
  return find(run, 'finder', photo, box(centre, size.columns * scale, size.rows * scale, 0), size);
}

async function lookCloser(run: RunNet, photo: RgbImage, first: Found): Promise<Place | undefined> {
  let found = first;
  for (const times of CLOSER) {
    const { centre, along } = axes(found.quad);
    const width = 2 * Math.hypot(...along) * times;
    const frame = box(centre, width, (width * WINDOW.rows) / WINDOW.columns, Math.atan2(along[1], along[0]));
    const near = (one: Found) => {
      const at = axes(one.quad).centre;
      return (
        one.score -
        0.6 * Math.hypot((at[0] - centre[0]) / width, (at[1] - centre[1]) / ((width * WINDOW.rows) / WINDOW.columns))
      );
    };
    const seen = await find(run, 'closer', photo, frame, WINDOW);
    if (seen.length === 0) return undefined;
    found = seen.reduce((best, next) => (near(next) > near(best) ? next : best));
  }
  return { quad: found.quad, finder: first.score, closer: found.score };
}

/** Peaks in the window, in pixels of the photo. */
async function find(run: RunNet, net: 'finder' | 'closer', photo: RgbImage, frame: Quad, size: Size): Promise<Found[]> {
  const { values, size: map } = await run(net, [photo.cut(frame, size)]);
  const back = fromUnit(frame);
  return peaks({ values, ...map }, CANDIDATES).map(({ score, quad }) => ({
    score,
    quad: mapped(quad, ([x, y]) => back(x / size.columns, y / size.rows)),
  }));
}

async function read(run: RunNet, photo: RgbImage, quad: Quad, changes: Change[]): Promise<Steps[]> {
  const { values, size } = await run(
    'reader',
    changes.map((change) => photo.cut(varied(quad, change), STRIP)),
  );
  const length = size.rows * SYMBOLS;
  return changes.map((_change, at) => values.slice(at * length, (at + 1) * length));
}

function spelled(steps: Steps[], drums?: number): Shown {
  const ranked = [...new Set(steps.flatMap(likelyStrings))]
    .map((digits) => ({ digits, probability: probabilityOf(steps, digits) }))
    .sort((a, b) => fitting(b, drums) - fitting(a, drums));
  const { digits, probability } = ranked[0]!;
  const agree = steps.filter((one) => bestPath(one) === digits).length / steps.length;
  return { digits, probability, second: ranked[1]?.probability ?? 0, agree, steps };
}

function fitting({ digits, probability }: { digits: string; probability: number }, drums?: number): number {
  return drums === undefined || digits.length === drums ? probability : OTHER_LENGTH * probability;
}

function varied(quad: Quad, [x, y, shift, lift]: Change): Quad {
  const { along, down } = axes(quad);
  const [dx, dy] = [2 * (along[0] * shift + down[0] * lift), 2 * (along[1] * shift + down[1] * lift)];
  return mapped(grown(quad, x, y), ([px, py]) => [px + dx, py + dy]);
}

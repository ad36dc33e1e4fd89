import { bestPath, likelyStrings, logProbability, SYMBOLS, type Steps } from './ctc.ts';
import { axes, box, fromUnit, grown, mapped, type Quad, type Size } from './geometry.ts';
import { peaks, type Found } from './finder.ts';
import type { Grey, Photo } from './grey.ts';
import type { RunNet } from './nets.server.ts';

/** Where a counter seems to be. */
interface Place {
  quad: Quad;
  /** Scores of the first look and of the last. */
  finder: number;
  closer: number;
}

/** What its strips show. */
interface Shown {
  digits: string;
  /** Mean probability that the strips spell these digits, and that of the runner-up. */
  probability: number;
  second: number;
  /** The share of strips that show the same digits each for itself. */
  agree: number;
  steps: Steps[];
  strip: Grey;
}

/** One counter of a photo and what it seems to show. */
export type Sighting = Place & Shown;

/** Margins around a quad, and shifts along and down it, in its own widths and heights. */
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
/** Window widths, in counter widths, of the closer looks. */
const CLOSER = [2.4, 2.0, 2.0];
/** The strips that are read. */
const STRIPS: Change[] = [
  [0.04, 0.12, 0, 0],
  [0.02, 0.06, 0, 0],
  [0.07, 0.2, 0, 0],
  [0.04, 0.12, 0.015, 0],
  [0.04, 0.12, -0.015, 0],
  [0.05, 0.25, 0, 0.04],
];

/**
 * What the photo's counter shows: one look at the whole photo, then closer ones at each find; every find is glanced
 * at, and the one worth most is read with care. With a known number of `drums`, strings of another length weigh little.
 */
export async function readCounter(run: RunNet, photo: Photo, drums?: number): Promise<{ best?: Sighting; rival: number }> {
  const seen: Sighting[] = [];
  for (const found of await look(run, photo)) {
    const place = await lookCloser(run, photo, found);
    if (place) seen.push({ ...place, ...(await read(run, photo, place.quad, STRIPS.slice(0, GLANCE), drums)) });
  }
  const first = seen.reduce<Sighting | undefined>((a, b) => (a && weight(a) >= weight(b) ? a : b), undefined);
  if (!first) return { rival: 0 };
  const best = { ...first, ...(await read(run, photo, first.quad, STRIPS, drums)) };
  const others = seen.filter((one) => one !== first && one.digits !== best.digits);
  return best.digits === '' ? { rival: 0 } : { best, rival: Math.max(0, ...others.map(weight)) };
}

/** What one sighting is worth beside others. */
function weight({ probability, closer, finder }: Sighting): number {
  return probability * closer * Math.sqrt(finder);
}

/** The mean probability that the strips spell exactly these digits. */
export function probabilityOf(steps: Steps[], digits: string): number {
  return steps.reduce((sum, one) => sum + Math.exp(logProbability(one, digits)), 0) / steps.length;
}

async function look(run: RunNet, photo: Photo): Promise<Found[]> {
  const { rows, columns } = photo.size;
  const scaleOf = (size: Size) => Math.max(rows / size.rows, columns / size.columns);
  const size = LOOKS.reduce((best, next) => (scaleOf(next) < scaleOf(best) ? next : best));
  const scale = scaleOf(size);
  const frame = box([columns / 2, rows / 2], size.columns * scale, size.rows * scale, 0);
  return (await find(run, 'finder', photo, frame, size)).slice(0, CANDIDATES);
}

async function lookCloser(run: RunNet, photo: Photo, first: Found): Promise<Place | undefined> {
  let found = first;
  for (const times of CLOSER) {
    const { centre, along } = axes(found.quad);
    const width = 2 * Math.hypot(...along) * times;
    const frame = box(centre, width, (width * WINDOW.rows) / WINDOW.columns, Math.atan2(along[1], along[0]));
    const near = (one: Found) => {
      const at = axes(one.quad).centre;
      return one.score - 0.6 * Math.hypot((at[0] - centre[0]) / width, (at[1] - centre[1]) / ((width * WINDOW.rows) / WINDOW.columns));
    };
    const seen = await find(run, 'closer', photo, frame, WINDOW);
    if (seen.length === 0) return undefined;
    found = seen.reduce((best, next) => (near(next) > near(best) ? next : best));
  }
  return { quad: found.quad, finder: first.score, closer: found.score };
}

/** The peaks of a net in what the frame frames, in the photo's own pixels. */
async function find(run: RunNet, net: 'finder' | 'closer', photo: Photo, frame: Quad, size: Size): Promise<Found[]> {
  const { values, size: map } = await run(net, [photo.cut(frame, size)]);
  const back = fromUnit(frame);
  return peaks({ values, ...map }, CANDIDATES).map(({ score, quad }) => ({
    score,
    quad: mapped(quad, ([x, y]) => back(x / size.columns, y / size.rows)),
  }));
}

async function read(run: RunNet, photo: Photo, quad: Quad, changes: Change[], drums?: number): Promise<Shown> {
  const strips = changes.map((change) => photo.cut(varied(quad, change), STRIP));
  const { values, size } = await run('reader', strips);
  const length = size.rows * SYMBOLS;
  const steps = strips.map((_strip, at) => values.slice(at * length, (at + 1) * length));
  const candidates = [...new Set(steps.flatMap(likelyStrings))];
  const ranked = candidates
    .map((digits) => ({ digits, probability: probabilityOf(steps, digits) }))
    .sort((a, b) => fitting(b, drums) - fitting(a, drums));
  const { digits, probability } = ranked[0]!;
  return {
    digits,
    probability,
    second: ranked[1]?.probability ?? 0,
    agree: steps.filter((one) => bestPath(one) === digits).length / steps.length,
    steps,
    strip: photo.cut(varied(quad, STRIPS[0]!), PLAIN),
  };
}

function fitting({ digits, probability }: { digits: string; probability: number }, drums?: number): number {
  return drums === undefined || digits.length === drums ? probability : OTHER_LENGTH * probability;
}

function varied(quad: Quad, [x, y, shift, lift]: Change): Quad {
  const { along, down } = axes(quad);
  const [dx, dy] = [2 * (along[0] * shift + down[0] * lift), 2 * (along[1] * shift + down[1] * lift)];
  return mapped(grown(quad, x, y), ([px, py]) => [px + dx, py + dy]);
}

import { greedyDecode, beamSearch, meanProbability, SYMBOLS_PER_STEP, type CtcOutput } from './ctc.ts';
import {
  quadAxes,
  rotatedRectangle,
  unitSquareToQuad,
  expandQuad,
  mapCorners,
  type Point,
  type Quad,
  type Size,
} from './geometry.ts';
import { findPeaks, type Peak } from './finder.ts';
import type { GrayscaleImage, ImagePyramid } from './grayscale.ts';
import { type DecodedDigits, probabilityWithPrior } from './last-reading.ts';
import type { PhotoRegion, MeterContext } from './meter-context.ts';
import type { RunNet } from './nets.server.ts';

interface MeterLocation {
  quad: Quad;
  finder: number;
  closer: number;
}

export interface DetectedMeter extends MeterLocation, DecodedDigits {
  /** Digits of a crop that reaches one figure further to the right; only the best meter has them. */
  wider?: string;
}

/** Margins and offsets in widths and heights of the quad. */
type CropOffset = readonly [x: number, y: number, shift: number, lift: number];

const FINDER_INPUTS: Size[] = [
  { rows: 384, columns: 256 },
  { rows: 256, columns: 384 },
  { rows: 320, columns: 320 },
];
const REFINER_INPUT: Size = { rows: 128, columns: 192 };
const READER_INPUT: Size = { rows: 32, columns: 192 };
const CROP_SIZE: Size = { rows: 48, columns: 288 };
const MAX_CANDIDATES = 3;
/** So many are looked at where none of the first fits the last reading. */
const MAX_CANDIDATES_TO_FIT = 5;
const MAX_REFINED = 3;
const QUICK_CROPS = 2;
const OTHER_LENGTH_PENALTY = 0.05;
const MIN_COUNTER_DIGITS = 3;
/** The search goes beyond the viewfinder's frame, since a meter never fills a finder's input. */
const FRAME_MARGIN = 1.8;
/** Weight above which the rest of the photo is not searched. */
const SUFFICIENT_WEIGHT = 0.3;
/** Degrees by which the photo is turned where nothing is found upright. */
const TURNS = [-15, 15, -30, 30];
/** Weight below which nothing counts as found. */
const LEAST_WEIGHT = 0.01;
const REFINEMENT_WIDTHS = [2.4, 2.0, 2.0];
const CROP_OFFSETS: CropOffset[] = [
  [0.04, 0.12, 0, 0],
  [0.02, 0.06, 0, 0],
  [0.07, 0.2, 0, 0],
  [0.05, 0.25, 0, 0.04],
];

/** Finds candidates, refines them, reads each with few crops, then the best with all. */
export async function detectMeter(
  run: RunNet,
  photo: ImagePyramid,
  known: MeterContext = {},
): Promise<{ best?: DetectedMeter; other?: DetectedMeter | undefined; rival: number }> {
  const seen = await findCandidates(run, photo, known);
  const [first, ...others] = seen.toSorted((a, b) => b.rank - a.rank);
  if (!first) return { rival: 0 };
  const changes = [...CROP_OFFSETS.slice(QUICK_CROPS), widerCrop(first.digits)];
  const outputs = await runReader(run, photo, first.quad, changes);
  const steps = [...first.steps, ...outputs.slice(0, -1)];
  const best = { ...first, ...decodeDigits(steps, known.digits), wider: greedyDecode(outputs.at(-1)!) };
  if (best.digits === '') return { rival: 0 };
  const rivals = others.filter(({ digits }) => digits !== best.digits);
  const clearest = rivals.toSorted((a, b) => weight(b) - weight(a));
  return {
    best,
    other: clearest.find((one) => isOtherCounter(one, best)),
    rival: Math.max(0, ...rivals.map(({ rank }) => rank)),
  };
}

interface Candidate extends DetectedMeter {
  /** Its weight, with what the last reading says of its digits. */
  rank: number;
}

async function findCandidates(run: RunNet, photo: ImagePyramid, known: MeterContext): Promise<Candidate[]> {
  const seen: Candidate[] = [];
  const isFound = () => seen.some(({ rank }) => rank >= SUFFICIENT_WEIGHT);
  const search = async (region: Quad) => {
    const places = await searchWindow(run, photo, region);
    for (const [at, found] of places.entries()) {
      if (at >= MAX_CANDIDATES && (known.lastReading === undefined || isFound())) return;
      const candidate = await readCandidate(run, photo, found, known);
      if (candidate) seen.push(candidate);
    }
  };
  for (const region of searchWindows(photo.size, known.frame)) {
    await search(region);
    if (isFound()) return seen;
  }
  for (const turn of seen.some((one) => weight(one) >= LEAST_WEIGHT) ? [] : TURNS) {
    await search(wholePhoto(photo.size, (turn * Math.PI) / 180));
    if (isFound()) break;
  }
  return seen;
}

async function readCandidate(
  run: RunNet,
  photo: ImagePyramid,
  found: Peak,
  known: MeterContext,
): Promise<Candidate | undefined> {
  const place = await refineLocation(run, photo, found);
  if (!place) return undefined;
  const steps = await runReader(run, photo, place.quad, CROP_OFFSETS.slice(0, QUICK_CROPS));
  const candidate = { ...place, ...decodeDigits(steps, known.digits) };
  return { ...candidate, rank: weight({ ...candidate, probability: probabilityWithPrior(candidate, known) }) };
}

/** Cuts out the meter as it was read, upright, with a margin. */
export function cropMeter(photo: ImagePyramid, { quad }: DetectedMeter): GrayscaleImage {
  return photo.cropQuad(offsetQuad(quad, CROP_OFFSETS[0]!), CROP_SIZE);
}

function isOtherCounter(one: DetectedMeter, best: DetectedMeter): boolean {
  if (weight(one) < SUFFICIENT_WEIGHT || one.digits.length < MIN_COUNTER_DIGITS) return false;
  const { centre, along, down } = quadAxes(best.quad);
  const at = quadAxes(one.quad).centre;
  const [x, y] = [at[0] - centre[0], at[1] - centre[1]];
  const share = (axis: Point) => Math.abs(x * axis[0] + y * axis[1]) / (axis[0] ** 2 + axis[1] ** 2);
  return share(along) > 1 || share(down) > 1;
}

function weight({ probability, closer, finder }: Pick<DetectedMeter, 'probability' | 'closer' | 'finder'>): number {
  return probability * closer * Math.sqrt(finder);
}

/** Returns the search windows in pixels; those around the viewfinder's frame come first. */
function searchWindows({ rows, columns }: Size, frame: PhotoRegion | undefined): Quad[] {
  const whole = wholePhoto({ rows, columns }, 0);
  if (!frame) return [whole];
  const centre: Point = [(frame.x + frame.width / 2) * columns, (frame.y + frame.height / 2) * rows];
  const width = Math.max(frame.width * columns * FRAME_MARGIN, 1);
  return [rotatedRectangle(centre, width, Math.max(frame.height * rows * FRAME_MARGIN, (2 / 3) * width), 0), whole];
}

function wholePhoto({ rows, columns }: Size, angle: number): Quad {
  return rotatedRectangle([columns / 2, rows / 2], columns, rows, angle);
}

async function searchWindow(run: RunNet, photo: ImagePyramid, region: Quad): Promise<Peak[]> {
  const { centre, along, down } = quadAxes(region);
  const scaleOf = (size: Size) =>
    Math.max((2 * Math.hypot(...down)) / size.rows, (2 * Math.hypot(...along)) / size.columns);
  const size = FINDER_INPUTS.reduce((best, next) => (scaleOf(next) < scaleOf(best) ? next : best));
  const scale = scaleOf(size);
  const angle = Math.atan2(along[1], along[0]);
  const window = rotatedRectangle(centre, size.columns * scale, size.rows * scale, angle);
  return findMeters(run, 'finder', photo, window, size, MAX_CANDIDATES_TO_FIT);
}

async function refineLocation(run: RunNet, photo: ImagePyramid, first: Peak): Promise<MeterLocation | undefined> {
  let found = first;
  for (const times of REFINEMENT_WIDTHS) {
    const { centre, along } = quadAxes(found.quad);
    const width = 2 * Math.hypot(...along) * times;
    const frame = rotatedRectangle(
      centre,
      width,
      (width * REFINER_INPUT.rows) / REFINER_INPUT.columns,
      Math.atan2(along[1], along[0]),
    );
    const near = (one: Peak) => {
      const at = quadAxes(one.quad).centre;
      return (
        one.score -
        0.6 *
          Math.hypot(
            (at[0] - centre[0]) / width,
            (at[1] - centre[1]) / ((width * REFINER_INPUT.rows) / REFINER_INPUT.columns),
          )
      );
    };
    const seen = await findMeters(run, 'closer', photo, frame, REFINER_INPUT, MAX_REFINED);
    if (seen.length === 0) return undefined;
    found = seen.reduce((best, next) => (near(next) > near(best) ? next : best));
  }
  return { quad: found.quad, finder: first.score, closer: found.score };
}

async function findMeters(
  run: RunNet,
  net: 'finder' | 'closer',
  photo: ImagePyramid,
  frame: Quad,
  size: Size,
  maxPeaks: number,
): Promise<Peak[]> {
  const { values, size: map } = await run(net, [photo.cropQuad(frame, size)]);
  const back = unitSquareToQuad(frame);
  return findPeaks({ values, ...map }, maxPeaks).map(({ score, quad }) => ({
    score,
    quad: mapCorners(quad, ([x, y]) => back(x / size.columns, y / size.rows)),
  }));
}

async function runReader(run: RunNet, photo: ImagePyramid, quad: Quad, changes: CropOffset[]): Promise<CtcOutput[]> {
  const { values, size } = await run(
    'reader',
    changes.map((change) => photo.cropQuad(offsetQuad(quad, change), READER_INPUT)),
  );
  const length = size.rows * SYMBOLS_PER_STEP;
  return changes.map((_change, at) => values.slice(at * length, (at + 1) * length));
}

function decodeDigits(steps: CtcOutput[], drums?: number): DecodedDigits {
  const ranked = [...new Set(steps.flatMap(beamSearch))]
    .map((digits) => ({ digits, probability: meanProbability(steps, digits) }))
    .sort((a, b) => weightByLength(b, drums) - weightByLength(a, drums));
  return { ...ranked[0]!, steps };
}

function weightByLength({ digits, probability }: { digits: string; probability: number }, drums?: number): number {
  return drums === undefined || digits.length === drums ? probability : OTHER_LENGTH_PENALTY * probability;
}

function offsetQuad(quad: Quad, [x, y, shift, lift]: CropOffset): Quad {
  const { along, down } = quadAxes(quad);
  const [dx, dy] = [2 * (along[0] * shift + down[0] * lift), 2 * (along[1] * shift + down[1] * lift)];
  return mapCorners(expandQuad(quad, x, y), ([px, py]) => [px + dx, py + dy]);
}

/** Reaches one figure further to the right, where a last drum may have been left out (docs/decisions/040). */
function widerCrop(digits: string): CropOffset {
  const half = 0.5 / Math.max(digits.length, 1);
  return [half + 0.04, 0.15, half, 0];
}

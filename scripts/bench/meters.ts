import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { stopEngine } from '#app/domain/meters/engine.server.ts';
import { preparePhoto } from '#app/domain/meters/photos.server.ts';
import { readMeter } from '#app/domain/meters/read-meter.server.ts';
import { stopTesseract } from '#app/domain/meters/tesseract.server.ts';
import { HIGH_CONFIDENCE } from '#app/limits.ts';
import { drawnMeters } from './support/drawn-meters.ts';
import { loadText, median, printTable } from './support/figures.ts';

/** A photo whose figures are known, leading zeros and tenths included. */
interface Example {
  kind: string;
  digits: string;
  load: () => Promise<Buffer>;
}

interface Answer {
  kind: string;
  known: string;
  isRight: boolean;
  confidence: number;
  milliseconds: number;
}

/** Hours that an aircraft has flown since its last reading; without one the photo is all there is. */
const HOURS_SINCE = [0.3, 1.3, 6];
const WITHOUT = 'no last reading';

/**
 * `meters [folder] [every nth]`: reads photos as the product does, each without a last reading and with ones below the
 * truth. The folder, or METERS_DIR, has a dev.csv with the columns file, digits and kind; drawn meters come beside it.
 */
export async function bench([folder = process.env.METERS_DIR, every = '1']: string[]): Promise<void> {
  const examples = [...(folder ? await photosOf(folder) : []), ...drawnMeters()];
  const answers: Answer[] = [];
  for (const example of examples.filter((_, at) => at % Number(every) === 0)) answers.push(...(await readAll(example)));
  await Promise.all([stopEngine(), stopTesseract()]);
  const withReading = answers.filter(({ known }) => known !== WITHOUT);
  printGroups('last reading', answers, ({ known }) => known);
  printGroups('kind, with a last reading', withReading, ({ kind }) => kind);
  printGroups(
    'kind, without',
    answers.filter(({ known }) => known === WITHOUT),
    ({ kind }) => kind,
  );
  printGroups('confidence, with a last reading', withReading, bandOf);
  printGroups(
    'confidence, without',
    answers.filter(({ known }) => known === WITHOUT),
    bandOf,
  );
  const costs = answers.map(({ milliseconds }) => milliseconds);
  console.log(
    `${median(costs).toFixed(0)} ms of processor time a photo at the median, ${mean(costs).toFixed(0)} on average`,
  );
  console.log(loadText());
}

async function photosOf(folder: string): Promise<Example[]> {
  const table = await readFile(path.join(folder, 'dev.csv'), 'utf8');
  const rows: Record<'file' | 'digits' | 'kind', string>[] = parse(table, { columns: true });
  return rows.map(({ file, digits, kind }) => ({ kind, digits, load: () => readFile(path.join(folder, file)) }));
}

async function readAll({ kind, digits, load }: Example): Promise<Answer[]> {
  const { content } = await preparePhoto(await load());
  const truth = Number(digits) / 10;
  const lastReadings = HOURS_SINCE.filter((hours) => hours <= truth).map(
    (hours) => [hours, (truth - hours).toFixed(1)] as const,
  );
  const answers: Answer[] = [];
  for (const [hours, lastReading] of [[null, undefined] as const, ...lastReadings]) {
    const before = process.cpuUsage();
    const { detectedText, confidence } = await readMeter(content, { meterType: 'hobbs', lastReading });
    const { user, system } = process.cpuUsage(before);
    answers.push({
      kind,
      known: hours === null ? WITHOUT : `${hours} h below`,
      isRight: figuresOf(detectedText) === figuresOf(digits),
      confidence,
      milliseconds: (user + system) / 1000,
    });
  }
  return answers;
}

/** The whole number without the point and leading zeros, which is what counts. */
function figuresOf(text: string): string {
  return text.replace('.', '').replace(/^0+/, '');
}

function bandOf({ confidence }: Answer): string {
  const tenth = Math.min(Math.floor(confidence * 10 + 1e-9), 9);
  return `${(tenth / 10).toFixed(1)} to ${((tenth + 1) / 10).toFixed(1)}`;
}

function printGroups(title: string, answers: Answer[], nameOf: (answer: Answer) => string): void {
  const names = [...new Set(answers.map(nameOf))].toSorted();
  const groups = names.map((name) => [name, answers.filter((answer) => nameOf(answer) === name)] as const);
  const head = [title, 'photos', 'exact %', 'sure %', 'right of the sure %', 'says %'];
  printTable(
    head,
    [...groups, ['all', answers] as const].map(([name, group]) => [name, ...figuresOfGroup(group)]),
  );
  console.log('');
}

function figuresOfGroup(group: Answer[]): string[] {
  const sure = group.filter(({ confidence }) => confidence >= HIGH_CONFIDENCE);
  const share = (some: Answer[], all: Answer[]) =>
    all.length === 0 ? '' : ((100 * some.length) / all.length).toFixed(1);
  const right = (some: Answer[]) => some.filter(({ isRight }) => isRight);
  const says = (100 * mean(group.map(({ confidence }) => confidence))).toFixed(1);
  return [String(group.length), share(right(group), group), share(sure, group), share(right(sure), sure), says];
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
}

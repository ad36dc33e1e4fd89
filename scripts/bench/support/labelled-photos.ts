import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import type { MeterType } from '#db/tables.ts';

interface Row {
  file: string;
  /** All drums, leading zeros kept. */
  digits: string;
  kind: string;
}

export interface Labelled extends Row {
  meterType: MeterType;
  content: () => Promise<Buffer>;
}

export interface Outcome {
  right: boolean;
  sure: boolean;
}

/** The labelled photos of a folder (the one given, METERS_DIR, or ../shared/meters); without them, says so. */
export async function labelledPhotos(given: string | undefined): Promise<Labelled[] | undefined> {
  const folder = path.resolve(given ?? process.env['METERS_DIR'] ?? '../shared/meters');
  const list = path.join(folder, 'dev.csv');
  if (!existsSync(list)) {
    console.error(`No photos to measure with: ${list} is not there. Give the folder as an argument or in METERS_DIR.`);
    process.exitCode = 1;
    return undefined;
  }
  const rows: Row[] = parse(await readFile(list), { columns: true });
  return rows.map((row) => ({
    ...row,
    meterType: row.kind.includes('tach') ? 'tachometer' : 'hobbs',
    content: () => readFile(path.join(folder, row.file)),
  }));
}

/** A reading is right when all its figures are, point and leading zeros aside. */
export function outcomeOf(
  { detectedText, confidence }: { detectedText: string; confidence: number },
  { digits }: Row,
): Outcome {
  return { right: plain(detectedText) === plain(digits), sure: confidence >= 0.8 };
}

export function summary(title: string, outcomes: Outcome[]): string {
  const sure = outcomes.filter((outcome) => outcome.sure);
  const right = share(
    outcomes.filter((outcome) => outcome.right),
    outcomes,
  );
  const rightOfSure = share(
    sure.filter((outcome) => outcome.right),
    sure,
  );
  const photos = String(outcomes.length).padStart(4);
  return `${title.padEnd(26)} ${photos} photos, right ${right}; sure of ${share(sure, outcomes)}, right of these ${rightOfSure}`;
}

function plain(reading: string): string {
  return reading.replace('.', '').replace(/^0+/, '');
}

function share(part: Outcome[], of: Outcome[]): string {
  return `${((100 * part.length) / Math.max(of.length, 1)).toFixed(1)} %`.padStart(8);
}

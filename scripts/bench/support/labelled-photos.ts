import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import type { MeterType } from '#db/tables.ts';

interface Label {
  file: string;
  /** All digits, leading zeros included. */
  digits: string;
  kind: string;
}

export interface LabelledPhoto extends Label {
  meterType: MeterType;
  content: () => Promise<Buffer>;
}

export interface Outcome {
  correct: boolean;
  confident: boolean;
}

/** The labelled photos of `folderArgument` or METERS_DIR; undefined, with a message printed, where there are none. */
export async function findLabelledPhotos(folderArgument: string | undefined): Promise<LabelledPhoto[] | undefined> {
  const folder = path.resolve(folderArgument ?? process.env['METERS_DIR'] ?? '../shared/meters');
  const list = path.join(folder, 'dev.csv');
  if (!existsSync(list)) {
    console.error(`No photos to measure with: ${list} is not there. Give the folder as an argument or in METERS_DIR.`);
    process.exitCode = 1;
    return undefined;
  }
  const labels: Label[] = parse(await readFile(list), { columns: true });
  return labels.map((label) => ({
    ...label,
    meterType: label.kind.includes('tach') ? 'tachometer' : 'hobbs',
    content: () => readFile(path.join(folder, label.file)),
  }));
}

export function outcomeOf(
  { detectedText, confidence }: { detectedText: string; confidence: number },
  { digits }: Label,
): Outcome {
  return { correct: significantDigits(detectedText) === significantDigits(digits), confident: confidence >= 0.8 };
}

/** One line: how many readings are correct, how many confident, and how many of these correct. */
export function summarize(title: string, outcomes: Outcome[]): string {
  const confident = outcomes.filter((outcome) => outcome.confident);
  const correct = outcomes.filter((outcome) => outcome.correct);
  const both = confident.filter((outcome) => outcome.correct);
  const photos = String(outcomes.length).padStart(4);
  return `${title.padEnd(26)} ${photos} photos, correct ${percent(correct, outcomes)}; confident ${percent(confident, outcomes)}, correct of these ${percent(both, confident)}`;
}

function significantDigits(reading: string): string {
  return reading.replace('.', '').replace(/^0+/, '');
}

function percent(part: Outcome[], whole: Outcome[]): string {
  return `${((100 * part.length) / Math.max(whole.length, 1)).toFixed(1)} %`.padStart(8);
}

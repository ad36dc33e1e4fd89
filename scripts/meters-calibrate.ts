import './bench/support/environment.ts';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'csv-parse/sync';
import { toEngineRequest } from '#app/domain/meters/engine-input.server.ts';
import { runEngine, stopEngine } from '#app/domain/meters/engine.server.ts';
import { type Example, fitConfidence } from './calibrate/fit.ts';

const MODEL = path.join(import.meta.dirname, '../app/domain/meters/models/confidence.json');
/** Hours above the last reading, by turns; each photo is read without one, too. */
const HOURS_SINCE = [0.3, 1.3, 6];
/** From these a last figure, and a whole reading, counts as sure: chosen on the same photos (docs/decisions/040). */
const SURE = { sure: 0.95, sureLast: 0.965 };

// `npm run meters:calibrate -- <folder>` fits the confidence on photos that no net was trained on (training/unseen.py).
const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('npm run meters:calibrate -- <folder>');
  process.exit(1);
}
const rows: Record<'file' | 'digits', string>[] = parse(await readFile(path.join(folder, 'dev.csv'), 'utf8'), {
  columns: true,
});
const examples: Example[] = [];
for (const [at, { file, digits: truth }] of rows.entries()) {
  const photo = await readFile(path.join(folder, file));
  const last = Number(truth) / 10 - (HOURS_SINCE[at % HOURS_SINCE.length] ?? 0);
  for (const known of [{}, ...(last > 0 ? [{ lastReading: last.toFixed(1) }] : [])]) {
    const { best } = await runEngine(await toEngineRequest(photo, known));
    if (best) examples.push({ evidence: best, truth });
  }
}
await stopEngine();
await writeFile(MODEL, `${JSON.stringify({ ...fitConfidence(examples), ...SURE }, null, 2)}\n`);
console.log(`Fitted on ${examples.length} readings of ${rows.length} photos.`);

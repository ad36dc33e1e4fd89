import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { bench } from '../../scripts/bench/meters.ts';
import { drawnMeters } from '../../scripts/bench/support/drawn-meters.ts';
import { codedMeter } from '#tests/support/coded-meter.ts';

it('the benchmark reads photos as the product does, with last readings and without, and says what was sure (B1316)', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'meters-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, 'a.jpg'), await codedMeter('012345'));
  await writeFile(path.join(folder, 'b.jpg'), await codedMeter('012343', { rolling: true }));
  await writeFile(path.join(folder, 'dev.csv'), 'file,digits,kind\na.jpg,012345,coded\nb.jpg,012344,coded\n');
  const lines: string[] = [];
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  onTestFinished(() => log.mockRestore());
  await bench([folder]);
  const cellsOf = (name: string) =>
    lines.flatMap((line) => (line.startsWith(`| ${name} `) ? [line.split(/\s*\|\s*/)] : []));
  // Of the two coded meters one is right and sure; the drawn ones are no codes, which is all that is read here.
  expect(cellsOf('coded').map((cells) => cells.slice(2, 6))).toEqual([
    ['6', '50.0', '50.0', '100.0'],
    ['2', '50.0', '50.0', '100.0'],
  ]);
  for (const known of ['0.3 h below', '1.3 h below', '6 h below', 'no last reading', '0.9 to 1.0'])
    expect(cellsOf(known), known).not.toEqual([]);
  expect(lines.join('\n')).toMatch(/\d+ ms of processor time a photo/);
});

it('the drawn meters are the same at each run, and no two show the same figures (B1317)', async () => {
  const [first, again] = [drawnMeters(), drawnMeters()];
  expect(new Set(first.map(({ digits }) => digits)).size).toBe(first.length);
  for (const at of [0, 1, 7]) expect(await first[at]!.load()).toEqual(await again[at]!.load());
});

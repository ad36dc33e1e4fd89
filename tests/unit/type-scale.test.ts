import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT_PX = 16;
const SIZES = { s: 14, m: 16, l: 20, xl: 25, xxl: 32 };

const filesOf = (folder: string, end: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(end))
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }));

it('the scale of type is 14, 16, 20, 25 and 32 px (B820)', () => {
  const tokens = readFileSync('app/styles/tokens.css', 'utf8').matchAll(/--font-size-(\w+): ([\d.]+)rem;/g);
  expect(Object.fromEntries([...tokens].map(([, name, rem]) => [name, Number(rem) * ROOT_PX]))).toEqual(SIZES);
});

it('every style on screen takes its size of type from the scale, and no markup sets one (B820)', () => {
  const styles = filesOf('app/styles', '.css').filter(({ file }) => file !== 'print.css');
  const strange = styles.flatMap(({ file, text }) =>
    [...text.matchAll(/(?<![\w-])font(?:-size)?: ([^;]+);/g)]
      .map(([, value = '']) => value)
      .filter((value) => value !== 'inherit' && !isOfScale(value))
      .map((value) => `${file}: ${value}`),
  );
  expect(strange).toEqual([]);
  expect(styles.length).toBeGreaterThan(40);
  const inMarkup = filesOf('app', '.tsx').filter(({ text }) => /fontSize|font-size|<text\b/.test(text));
  expect(inMarkup.map(({ file }) => file)).toEqual([]);
});

/** Or as much of the window as large type may take. */
function isOfScale(value: string): boolean {
  return /^(\d+ )?(min\(var\(--font-size-\w+\), \d+(\.\d+)?vi\)|var\(--font-size-\w+\))( \/ 1\.5)?( var\(--font-\w+\))?$/.test(
    value,
  );
}

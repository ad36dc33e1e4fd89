import sharp from 'sharp';

/**
 * A picture that stands for a photo of a meter where the real reader is replaced: a grid of black and white cells, a
 * column for each digit, under a row of alternating ones.
 */
export const CODE_COLUMNS = 8;
export const CODE_ROWS = 4;
/** The digit of a column that shows none. */
const NONE = 15;
/** The digit of a column after a last drum that stands between its figure and the next. */
export const ROLLING = 10;

const CELL = 24;
const [BLACK, WHITE] = [20, 235];
/** What a picture is drawn in whose reading is doubtful. */
const [DARK, LIGHT] = [90, 165];

/** A JPEG that the fake engine reads as these digits, '12345' for 1234.5. */
export function codedMeter(digits: string, { doubtful = false, rolling = false } = {}): Promise<Buffer> {
  const figures = [...[...digits].map(Number), ...(rolling ? [ROLLING] : [])];
  const [dark, light] = doubtful ? [DARK, LIGHT] : [BLACK, WHITE];
  const rows = Array.from({ length: 1 + CODE_ROWS }, (_, row) =>
    Array.from({ length: CODE_COLUMNS }, (_, column) => (isLight(figures, row, column) ? light : dark)),
  );
  const cells = Buffer.from(rows.flat());
  return sharp(cells, { raw: { width: CODE_COLUMNS, height: 1 + CODE_ROWS, channels: 1 } })
    .resize(CODE_COLUMNS * CELL, (1 + CODE_ROWS) * CELL, { kernel: 'nearest' })
    .jpeg()
    .toBuffer();
}

/** Two of them in one picture: the first in its left half, the second in its right. */
export async function twoCodedMeters(left: string, right: string): Promise<Buffer> {
  const input = await Promise.all([codedMeter(left), codedMeter(right)]);
  const { width, height } = await sharp(input[0]).metadata();
  return sharp({ create: { width: 2 * width, height, channels: 3, background: 'black' } })
    .composite(input.map((one, at) => ({ input: one, left: at * width, top: 0 })))
    .jpeg()
    .toBuffer();
}

function isLight(figures: number[], row: number, column: number): boolean {
  if (row === 0) return column % 2 === 0;
  const digit = figures[column] ?? NONE;
  return ((digit >> (row - 1)) & 1) === 1;
}

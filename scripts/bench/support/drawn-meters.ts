import sharp from 'sharp';

interface DrawnMeter {
  kind: string;
  digits: string;
  load: () => Promise<Buffer>;
}

const COUNT = 60;
const CELL = { width: 46, height: 64 };
/** Part of a figure by which the last drum of every other meter has rolled on; at a half nobody could say. */
const ROLLED = [0, 0.15, -0.15, 0.3, -0.3];
const PLATES = ['#222', '#3a3530', '#101820', '#4a4a48'];
/** Words left and right of the counter, on its line, where they could be taken for figures. */
const BESIDE = [
  ['', ''],
  ['', '×0.1'],
  ['HOURS', '1/10'],
  ['', 'h'],
  ['TOTAL', 'HRS'],
] as const;
const TENTHS = { light: ['#e8e8e0', '#111'], red: ['#b3201c', '#f2f2ee'], dark: ['#141414', '#f2f2ee'] };

/** Hour meters on a dash, the same at every run: turned, blurred, labelled, and some with a last drum that stands askew. */
export function drawnMeters(): DrawnMeter[] {
  return Array.from({ length: COUNT }, (_, at) => {
    const digits = String(1_003 + at * 24_391)
      .padStart(5 + (at % 3), '0')
      .slice(-7);
    const rolled = ROLLED[at % ROLLED.length] ?? 0;
    return { kind: 'drawn here', digits, load: () => draw(digits, rolled, at) };
  });
}

function draw(digits: string, rolled: number, at: number): Promise<Buffer> {
  const left = 400 - (CELL.width * digits.length) / 2;
  const drums = [...digits].map((digit, place) => {
    const isLast = place === digits.length - 1;
    const colours = isLast ? (Object.values(TENTHS)[at % 3] ?? TENTHS.light) : TENTHS.dark;
    return drum(Number(digit), left + place * CELL.width, colours, isLast ? rolled : 0);
  });
  const right = left + digits.length * CELL.width;
  const [before, after] = BESIDE[at % BESIDE.length] ?? BESIDE[0];
  const word = (text: string, x: number, anchor: string) =>
    `<text x="${x}" y="312" font-family="sans-serif" font-size="24" text-anchor="${anchor}" fill="#ddd">${text}</text>`;
  const box = `<rect x="${right - CELL.width - 3}" y="266" width="${CELL.width + 4}" height="72" fill="none" stroke="#ddd" stroke-width="3"/>`;
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600">
    <rect width="800" height="600" fill="#6b6256"/>
    <rect x="180" y="170" width="440" height="260" rx="18" fill="${PLATES[at % PLATES.length]}"/>
    <text x="400" y="230" font-family="sans-serif" font-size="30" text-anchor="middle" fill="#ddd">HOURS</text>
    ${drums.join('')}${at % 3 === 1 ? box : ''}
    ${word(before, left - 10, 'end')}${word(after, right + 10, 'start')}
    <text x="400" y="390" font-family="sans-serif" font-size="18" text-anchor="middle" fill="#ddd">1/10</text></svg>`;
  const turn = ((at * 7) % 17) - 8;
  const picture = sharp(Buffer.from(drawing))
    .rotate(turn, { background: '#6b6256' })
    .blur(0.6 + (at % 5) * 0.3);
  return picture.jpeg({ quality: 60 }).toBuffer();
}

/** A window with the figure and its two neighbours on the drum, which `rolled` moves up by a part of a figure. */
function drum(digit: number, x: number, [ground, ink]: string[], rolled: number): string {
  const { width, height } = CELL;
  const figures = [-1, 0, 1].map((step) => {
    const y = 50 + (step - rolled) * height;
    const text = (digit + step + 10) % 10;
    return `<text x="${width / 2 - 1}" y="${y}" font-family="sans-serif" font-size="50" text-anchor="middle" fill="${ink}">${text}</text>`;
  });
  return `<svg x="${x}" y="270" width="${width - 2}" height="${height}"><rect width="100%" height="100%" fill="${ground}"/>${figures.join('')}</svg>`;
}

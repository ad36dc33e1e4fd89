import sharp, { type Sharp } from 'sharp';
import {
  APP1,
  APP2,
  COMMENT,
  orientation,
  segment,
  splitSegments,
  joinSegments,
  withOrientation,
  withGainMap,
  withSegments,
} from './jpeg.ts';
import { hourMeter } from './pictures.ts';
import { chunk, splitChunks, joinChunks, packedZeros, png } from './png.ts';

/** What it is, and how it is made. */
export type Picture = [name: string, make: () => Buffer | Promise<Buffer>];

/** The photo of a meter that all of these show. */
export const GOOD = await hourMeter('012345');

/** The same out of focus: the reader's nets are undecided about it, and Tesseract is asked too. */
export const BLURRED = await sharp(GOOD).blur(6).jpeg().toBuffer();

const meter = () => sharp(GOOD);
const { width, height } = await meter().metadata();
const plain = await meter().png().toBuffer();
const small = await meter().resize(400).toBuffer();

/** Pictures that show the meter upright, once they are turned as they say, however they are written. */
export const READABLE: Picture[] = [
  ...lying().map((lie, at): Picture => [
    `a JPEG that EXIF ${at + 1} turns`,
    async () => withOrientation(await lie(meter()).jpeg().toBuffer(), at + 1),
  ]),
  [
    'a PNG that eXIf turns',
    async () => behindHeader(await meter().rotate(270).png().toBuffer(), chunk('eXIf', orientation(6))),
  ],
  [
    'an HDR photo of a phone, turned',
    async () => withGainMap(withOrientation(await meter().rotate(270).jpeg().toBuffer(), 6), await grey()),
  ],
  ['a CMYK JPEG', () => meter().toColourspace('cmyk').jpeg().toBuffer()],
  ['a progressive JPEG', () => meter().jpeg({ progressive: true }).toBuffer()],
  [
    'a progressive JPEG of 12 megapixels',
    () => meter().resize(4032, 3024, { fit: 'fill', kernel: 'nearest' }).jpeg({ progressive: true }).toBuffer(),
  ],
  ['a JPEG of 24 megapixels', () => meter().resize(5700, 4300, { fit: 'fill', kernel: 'nearest' }).jpeg().toBuffer()],
  ['a grey JPEG', grey],
  ['a JPEG with all its colours', () => meter().jpeg({ chromaSubsampling: '4:4:4' }).toBuffer()],
  ['a PNG of 16 bits', () => meter().toColourspace('rgb16').png().toBuffer()],
  [
    'a PNG of 16 bits with long lines that eXIf turns',
    async () => behindHeader(await longLines(), chunk('eXIf', orientation(6))),
  ],
  ['an interlaced PNG', () => meter().png({ progressive: true }).toBuffer()],
  ['a PNG with a palette', () => meter().png({ palette: true }).toBuffer()],
  ['a PNG with alpha', () => meter().ensureAlpha().png().toBuffer()],
  ['an animated PNG', () => animated()],
  ['a JPEG with a ZIP behind it', () => Buffer.concat([GOOD, Buffer.from('PK\x05\x06'), Buffer.alloc(18)])],
  ['a JPEG with HTML behind it', () => Buffer.concat([GOOD, Buffer.from('<script>alert(1)</script>')])],
  ['a JPEG with HTML in a comment', () => withSegments(GOOD, segment(COMMENT, '--><script>alert(1)</script>'))],
  ['a JPEG with a hundred thousand comments', () => withSegments(GOOD, ...many(100_000, segment(COMMENT, '')))],
  ['a JPEG with EXIF of garbage', () => withSegments(GOOD, exif(Buffer.alloc(60_000, 0xff)))],
  ['a JPEG with EXIF that leads to itself', () => withSegments(GOOD, exif(orientation(1, 8)))],
  ['a JPEG with EXIF a hundred times', () => withSegments(GOOD, ...many(100, exif(Buffer.alloc(60_000, 'MM\0*'))))],
  ['a JPEG with a colour profile of 7 MB of garbage', () => withSegments(GOOD, ...profile(110))],
  [
    'a JPEG with garbage between its segments',
    () => joinSegments(splitSegments(GOOD).flatMap((one, at) => (at === 2 ? [Buffer.from('garbage'), one] : [one]))),
  ],
  ['a PNG with text of 100 MB when unpacked', () => behindHeader(plain, chunk('zTXt', packed('a\0\0', 100)))],
  [
    'a PNG with a hundred such texts of 7 MB',
    () => behindHeader(plain, ...many(100, chunk('iTXt', packed('a\0\x01\0\0\0', 7)))),
  ],
  [
    'a PNG with a colour profile of 100 MB when unpacked',
    () => behindHeader(plain, chunk('iCCP', packed('a\0\0', 100))),
  ],
];

/** Pictures in which there is no meter. */
export const EMPTY: Picture[] = [
  ['one pixel', () => blankOf(1, 1)],
  ['one pixel wide', () => blankOf(1, 3000)],
  ['one pixel high', () => blankOf(3000, 1)],
  [
    'all of it transparent',
    () =>
      sharp({ create: { width: 400, height: 300, channels: 4, background: '#0000' } })
        .png()
        .toBuffer(),
  ],
  ['noise', () => noise(800, 600)],
  [
    'a PNG that unpacks to 200 MB more than it shows',
    () => png({ width: 100, height: 100 }, chunk('IDAT', packedZeros(200_000_000))),
  ],
  ['24 megapixels of 16 bits with alpha', () => blackPng(5700, 4300)],
  [
    '24 megapixels of 16 bits with alpha that eXIf turns',
    () => behindHeader(blackPng(5700, 4300), chunk('eXIf', orientation(6))),
  ],
  ['10,000 pixels wide', () => blackPng(10_000, 2400)],
  ['10,000 pixels high', () => blackPng(2400, 10_000)],
];

/** A PNG as costly to decode as it may be, and small as a file. */
export function blackPng(columns: number, rows: number): Buffer {
  return png(
    { width: columns, height: rows, depth: 16, colour: 6 },
    chunk('IDAT', packedZeros(rows * (1 + 8 * columns))),
  );
}

/** How the meter must lie in a file for each of EXIF's orientations to turn it upright. */
function lying(): ((picture: Sharp) => Sharp)[] {
  return [
    (picture) => picture,
    (picture) => picture.flop(),
    (picture) => picture.rotate(180),
    (picture) => picture.flip(),
    (picture) => picture.flop().rotate(270),
    (picture) => picture.rotate(270),
    (picture) => picture.flop().rotate(90),
    (picture) => picture.rotate(90),
  ];
}

/** On its side, and so wide that it is thinned out before it is shrunk. */
function longLines(): Promise<Buffer> {
  return meter()
    .rotate(270)
    .resize(4000, 5221, { fit: 'fill', kernel: 'nearest' })
    .toColourspace('rgb16')
    .png({ compressionLevel: 1 })
    .toBuffer();
}

function grey(): Promise<Buffer> {
  return meter().grayscale().jpeg().toBuffer();
}

function behindHeader(bytes: Buffer, ...more: Buffer[]): Buffer {
  const [header = bytes, ...rest] = splitChunks(bytes);
  return joinChunks([header, ...more, ...rest]);
}

/** Two frames; the first is the picture itself. */
function animated(): Buffer {
  const [header = plain, ...rest] = splitChunks(plain);
  const control = (sequence: number) => {
    const data = Buffer.alloc(26);
    [sequence, width, height].forEach((value, at) => data.writeUInt32BE(value, 4 * at));
    return chunk('fcTL', data);
  };
  const second = chunk('fdAT', Buffer.concat([Buffer.from([0, 0, 0, 2]), packedZeros(height * (1 + 3 * width))]));
  return joinChunks([
    header,
    chunk('acTL', '\0\0\0\x02\0\0\0\0'),
    control(0),
    ...rest.slice(0, -1),
    control(1),
    second,
    chunk('IEND'),
  ]);
}

function exif(block: Buffer): Buffer {
  return segment(APP1, Buffer.concat([Buffer.from('Exif\0\0'), block]));
}

function profile(parts: number): Buffer[] {
  return Array.from({ length: parts }, (_, at) =>
    segment(
      APP2,
      Buffer.concat([Buffer.from('ICC_PROFILE\0'), Buffer.from([at + 1, parts]), Buffer.alloc(65_000, at)]),
    ),
  );
}

function packed(head: string, megabytes: number): Buffer {
  return Buffer.concat([Buffer.from(head, 'latin1'), packedZeros(megabytes * 1_000_000)]);
}

function many(times: number, one: Buffer): Buffer[] {
  return Array.from({ length: times }, () => one);
}

function blankOf(columns: number, rows: number): Promise<Buffer> {
  return sharp({ create: { width: columns, height: rows, channels: 3, background: '#777' } })
    .png()
    .toBuffer();
}

function noise(columns: number, rows: number): Promise<Buffer> {
  const create = {
    width: columns,
    height: rows,
    channels: 3 as const,
    background: '#777',
    noise: { type: 'gaussian' as const, mean: 128, sigma: 60 },
  };
  return sharp({ create }).jpeg().toBuffer();
}

/** Small pictures of the meter of every kind, to be corrupted. */
export const CORRUPTIBLE: Buffer[] = await Promise.all([
  sharp(small).jpeg().toBuffer(),
  sharp(small).jpeg({ progressive: true }).toBuffer(),
  sharp(small).toColourspace('cmyk').jpeg().toBuffer(),
  sharp(small)
    .withExif({ IFD0: { Make: 'A phone' } })
    .withIccProfile('p3')
    .jpeg()
    .toBuffer(),
  sharp(small)
    .grayscale()
    .jpeg()
    .toBuffer()
    .then((map) => withGainMap(small, map)),
  sharp(small).png().toBuffer(),
  sharp(small).png({ progressive: true }).toBuffer(),
  sharp(small).png({ palette: true }).toBuffer(),
  sharp(small).toColourspace('rgb16').png().toBuffer(),
]);

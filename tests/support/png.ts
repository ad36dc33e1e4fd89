import { constants, crc32, deflateRawSync } from 'node:zlib';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

interface Header {
  width: number;
  height: number;
  depth?: 8 | 16;
  /** What a pixel has: grey is 0, RGB 2, RGB with alpha 6. */
  colour?: 0 | 2 | 6;
  interlaced?: boolean;
}

/** A PNG of these chunks, between its header and its end, whether they make sense or not. */
export function png({ width, height, depth = 8, colour = 2, interlaced = false }: Header, ...chunks: Buffer[]): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width);
  header.writeUInt32BE(height, 4);
  header.set([depth, colour, 0, 0, interlaced ? 1 : 0], 8);
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), ...chunks, chunk('IEND')]);
}

/** A chunk with its length and its checksum. */
export function chunk(type: string, data: Buffer | string = ''): Buffer {
  const named = Buffer.concat([
    Buffer.from(type, 'latin1'),
    typeof data === 'string' ? Buffer.from(data, 'latin1') : data,
  ]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(named.length - 4);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** The chunks of a PNG, its header and its end too. */
export function splitChunks(bytes: Buffer): Buffer[] {
  const chunks: Buffer[] = [];
  for (let at = SIGNATURE.length, end; at < bytes.length; at = end) {
    end = at + 12 + bytes.readUInt32BE(at);
    chunks.push(bytes.subarray(at, end));
  }
  return chunks;
}

export function joinChunks(chunks: Buffer[]): Buffer {
  return Buffer.concat([SIGNATURE, ...chunks]);
}

const MEGABYTE = 1_000_000;
const packedMegabyte = deflateRawSync(Buffer.alloc(MEGABYTE), { level: 9, finishFlush: constants.Z_FULL_FLUSH });

/** This many zeros, as zlib packs them: a thousandth of their length. */
export function packedZeros(length: number): Buffer {
  const megabytes = Array.from({ length: Math.floor(length / MEGABYTE) }, () => packedMegabyte);
  const rest = deflateRawSync(Buffer.alloc(length % MEGABYTE), { level: 9 });
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE((length % 65_521) * 65_536 + 1);
  return Buffer.concat([Buffer.from([0x78, 0xda]), ...megabytes, rest, sum]);
}

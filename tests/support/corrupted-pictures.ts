import fc from 'fast-check';
import { joinSegments, splitSegments } from './jpeg.ts';
import { chunk, splitChunks, joinChunks } from './png.ts';

const SEED = 1903;

/** This many pictures, each one of these with something corrupted; the same ones in every run. */
export function corruptedPictures(pictures: Buffer[], count: number): Buffer[] {
  const part = fc.nat({ max: 30 });
  const place = fc.oneof(fc.nat({ max: 700 }), fc.nat());
  const bit = fc.record({ at: place, bit: fc.nat({ max: 7 }) });
  const corruption = fc.oneof(
    fc.array(bit, { minLength: 1, maxLength: 5 }).map((bits) => (picture: Buffer) => bits.reduce(flipped, picture)),
    fc
      .record({ at: place, value: fc.constantFrom(0, 0x7fffffff, 0xffffffff, 0x10001) })
      .map((one) => (picture: Buffer) => overwritten(picture, one)),
    place.map((at) => (picture: Buffer) => picture.subarray(0, 12 + (at % picture.length))),
    fc.tuple(place, fc.integer({ min: 1, max: 300 })).map(
      ([at, length]) =>
        (picture: Buffer) =>
          without(picture, at % picture.length, length),
    ),
    fc.tuple(part, part).map(
      ([one, other]) =>
        (picture: Buffer) =>
          withParts(picture, (parts) => swapped(parts, one, other)),
    ),
    fc.tuple(part, fc.constantFrom(1, 2, 50)).map(
      ([one, times]) =>
        (picture: Buffer) =>
          withParts(picture, (parts) => repeated(parts, one, times)),
    ),
    part.map((one) => (picture: Buffer) => withParts(picture, (parts) => parts.toSpliced(one % parts.length, 1))),
    // A wrong byte that the checksum agrees with.
    bit.map(
      (one) => (picture: Buffer) =>
        isPng(picture) ? summed(flipped(picture, { ...one, at: one.at % 200 })) : flipped(picture, one),
    ),
  );
  const picture = fc.nat({ max: pictures.length - 1 }).map((at) => pictures[at] ?? Buffer.alloc(0));
  return fc.sample(
    fc.tuple(picture, corruption).map(([one, corrupt]) => corrupt(one)),
    { seed: SEED, numRuns: count },
  );
}

function flipped(picture: Buffer, { at, bit }: { at: number; bit: number }): Buffer {
  const copy = Buffer.from(picture);
  copy[at % copy.length]! ^= 1 << bit;
  return copy;
}

function overwritten(picture: Buffer, { at, value }: { at: number; value: number }): Buffer {
  const copy = Buffer.from(picture);
  copy.writeUInt32BE(value, at % (copy.length - 4));
  return copy;
}

function without(picture: Buffer, at: number, length: number): Buffer {
  return Buffer.concat([picture.subarray(0, at), picture.subarray(at + length)]);
}

function withParts(picture: Buffer, change: (parts: Buffer[]) => Buffer[]): Buffer {
  return isPng(picture) ? joinChunks(change(splitChunks(picture))) : joinSegments(change(splitSegments(picture)));
}

function swapped(parts: Buffer[], one: number, other: number): Buffer[] {
  const [a, b] = [one % parts.length, other % parts.length];
  return parts.with(a, parts[b]!).with(b, parts[a]!);
}

function repeated(parts: Buffer[], one: number, times: number): Buffer[] {
  const at = one % parts.length;
  return parts.toSpliced(at, 0, ...Array.from({ length: times }, () => parts[at]!));
}

/** The PNG with every checksum right, as far as its chunks still are chunks. */
function summed(picture: Buffer): Buffer {
  try {
    return joinChunks(
      splitChunks(picture).map((bytes) => chunk(bytes.toString('latin1', 4, 8), bytes.subarray(8, -4))),
    );
  } catch {
    return picture;
  }
}

function isPng(picture: Buffer): boolean {
  return picture[0] === 0x89;
}

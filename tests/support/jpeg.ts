export const APP1 = 0xe1;
export const APP2 = 0xe2;
export const COMMENT = 0xfe;

const [SOI, EOI] = [Buffer.from([0xff, 0xd8]), Buffer.from([0xff, 0xd9])];
const SOS = 0xda;
// Frames that are decoded line by line, and those that come in scans.
const FRAMES = [0xc0, 0xc1, 0xc2];

/** A segment with its length. */
export function segment(marker: number, data: Buffer | string): Buffer {
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data;
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(bytes.length + 2, 2);
  return Buffer.concat([head, bytes]);
}

/** The segments of a JPEG between its start and its end, each scan with its data. */
export function splitSegments(jpeg: Buffer): Buffer[] {
  const segments: Buffer[] = [];
  for (let at = 2, end; at < jpeg.length && jpeg[at + 1] !== EOI[1]; at = end) {
    end = at + 2 + jpeg.readUInt16BE(at + 2);
    if (jpeg[at + 1] === SOS) end = afterScan(jpeg, end);
    segments.push(jpeg.subarray(at, end));
  }
  return segments;
}

export function joinSegments(segments: Buffer[]): Buffer {
  return Buffer.concat([SOI, ...segments, EOI]);
}

/** The JPEG with further segments at its start. */
export function withSegments(jpeg: Buffer, ...segments: Buffer[]): Buffer {
  return Buffer.concat([SOI, ...segments, jpeg.subarray(SOI.length)]);
}

/** The JPEG with another word about its size, or its bits. */
export function withClaimedSize(
  jpeg: Buffer,
  { width, height, depth }: { width?: number; height?: number; depth?: number },
): Buffer {
  const segments = splitSegments(jpeg).map((bytes) => {
    if (!FRAMES.includes(bytes[1]!)) return bytes;
    const frame = Buffer.from(bytes);
    if (depth !== undefined) frame[4] = depth;
    if (height !== undefined) frame.writeUInt16BE(height, 5);
    if (width !== undefined) frame.writeUInt16BE(width, 7);
    return frame;
  });
  return joinSegments(segments);
}

/** The JPEG with its last scan this many times. */
export function repeatingScans(jpeg: Buffer, times: number): Buffer {
  const segments = splitSegments(jpeg);
  return joinSegments([...segments, ...Array.from({ length: times }, () => segments.at(-1)!)]);
}

/** A TIFF block that says how a picture is turned, as EXIF and PNG have it; `next` is where its next one stands. */
export function orientation(value: number, next = 0): Buffer {
  const block = Buffer.from('MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0', 'latin1');
  block.writeUInt16BE(value, 18);
  block.writeUInt32BE(next, 22);
  return block;
}

/** The JPEG with that block as its EXIF. */
export function withOrientation(jpeg: Buffer, value: number): Buffer {
  return withSegments(jpeg, segment(APP1, Buffer.concat([Buffer.from('Exif\0\0'), orientation(value)])));
}

/** The photo as phones write HDR: a second JPEG behind it, and an index of the two (MPF). */
export function withGainMap(jpeg: Buffer, map: Buffer): Buffer {
  const gain = withSegments(
    map,
    xmp(`<rdf:Description xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0" hdrgm:GainMapMin="0"
    hdrgm:GainMapMax="1" hdrgm:Gamma="1" hdrgm:OffsetSDR="0.02" hdrgm:OffsetHDR="0.02" hdrgm:HDRCapacityMin="0" hdrgm:HDRCapacityMax="1"/>`),
  );
  const item = (semantic: string, length: number) =>
    `<rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="${semantic}" Item:Mime="image/jpeg" Item:Length="${length}"/></rdf:li>`;
  const directory =
    xmp(`<rdf:Description xmlns:Container="http://ns.google.com/photos/1.0/container/" xmlns:Item="http://ns.google.com/photos/1.0/container/item/"
    xmlns:hdrgm="http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"><Container:Directory><rdf:Seq>${item('Primary', 0)}${item('GainMap', gain.length)}</rdf:Seq></Container:Directory></rdf:Description>`);
  const index = segment(APP2, 'MPF\0MM\0*\0\0\0\x08\0\0\0\0\0\0');
  return Buffer.concat([withSegments(jpeg, directory, index), gain]);
}

function xmp(description: string): Buffer {
  return segment(
    APP1,
    `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${description}</rdf:RDF></x:xmpmeta>`,
  );
}

function afterScan(jpeg: Buffer, from: number): number {
  let at = from;
  // A byte of 255 in a scan is followed by a zero or a restart; anything else is the next segment.
  while (at < jpeg.length && !(jpeg[at] === 0xff && jpeg[at + 1] !== 0 && (jpeg[at + 1]! & 0xf8) !== 0xd0)) at += 1;
  return at;
}

import { isUtf8 } from 'node:buffer';
import { AppError } from '../../app-error.ts';
import { importFileTexts, refuseAt } from './import-file-texts.ts';

export interface Encoding {
  name: string;
  /** Bytes of its mark at the start. */
  mark: number;
}

const SAMPLE_BYTES = 1024 * 1024;
const MAX_HIGH_BYTES = 5000;
const MARKS: readonly [hex: string, name: string][] = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
];

/** Throws 'invalid' where the bytes are no text. */
export function findEncoding(file: Buffer): Encoding {
  const start = file.subarray(0, 4).toString('hex');
  if (start === 'fffe0000' || start === '0000feff') throw new AppError('invalid', importFileTexts.utf32);
  const marked = MARKS.find(([hex]) => start.startsWith(hex));
  if (marked) return { name: marked[1], mark: marked[0].length / 2 };
  return { name: unmarkedEncoding(file), mark: 0 };
}

function unmarkedEncoding(file: Buffer): string {
  const sample = file.subarray(0, SAMPLE_BYTES);
  const wide = wideEncoding(sample);
  if (wide) return wide;
  refuseBinary(sample);
  if (isUtf8(file)) return 'utf-8';
  refuseMixture(sample);
  return singleByteEncoding(sample);
}

/** Without a mark, letters of Latin script leave every second byte zero. */
function wideEncoding(sample: Buffer): string | undefined {
  const bytes = sample.subarray(0, 4096);
  const zeros = [0, 0];
  bytes.forEach((byte, at) => (zeros[at % 2]! += byte === 0 ? 1 : 0));
  const [even = 0, odd = 0] = zeros;
  const many = bytes.length / 2 / 2;
  if (odd > many && even < many / 10) return 'utf-16le';
  return even > many && odd < many / 10 ? 'utf-16be' : undefined;
}

function refuseBinary(sample: Buffer): void {
  const controls = sample.reduce((count, byte) => count + (byte < 9 || (byte > 13 && byte < 32) ? 1 : 0), 0);
  if (controls > Math.max(3, sample.length / 100)) throw new AppError('invalid', importFileTexts.binary);
}

/** UTF-8, of which some bytes are not: as where lines of two files were put together. */
function refuseMixture(sample: Buffer): void {
  const text = new TextDecoder('utf-8').decode(sample, { stream: true });
  const read = text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
  const lost = text.match(/\ufffd/g)?.length ?? 0;
  if (lost === 0 || read < lost) return;
  const row = text.slice(0, text.indexOf('\ufffd')).split(/\r\n?|\n/).length;
  throw refuseAt(row, undefined, importFileTexts.mixedEncoding);
}

/** In which of them most letters are those of Western European words. */
function singleByteEncoding(sample: Buffer): string {
  const high = sample.filter((byte) => byte >= 0x80).subarray(0, MAX_HIGH_BYTES);
  const usual = (name: string) => new TextDecoder(name).decode(high).match(USUAL_LETTERS)?.length ?? 0;
  const windows = usual('windows-1252');
  if (usual('macintosh') > windows) return 'macintosh';
  return !high.some((byte) => byte < 0xa0) && usual('iso-8859-15') > windows ? 'iso-8859-15' : 'windows-1252';
}

const USUAL_LETTERS = /[äöüÄÖÜßéèêëàâçñáíóúîïôûœæøåãõìòùÿýšžÉÈÀÇÑÁÍÓÚŠŽŒ€]/gu;

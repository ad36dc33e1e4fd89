import { isUtf8 } from 'node:buffer';
import { importFileTexts, refuse, refuseAt } from '../files/import-file-texts.ts';
import { Ballot, type ReadingsByWay } from './ballot.ts';

/** Encodings of one byte a letter, the usual first. */
const ENCODINGS =
  'windows-1252 windows-1250 iso-8859-15 iso-8859-2 macintosh windows-1251 windows-1253 windows-1254 windows-1257 koi8-r shift_jis gb18030'.split(
    ' ',
  );

/** How a text is to be decoded, and the length of the mark before it. */
export interface MarkedEncoding {
  name: string;
  mark: number;
}

interface Encoding extends MarkedEncoding {
  /** How the file's letters were held against encodings; null where the bytes themselves prove one. */
  ballot: Ballot<string> | null;
}

const SAMPLE_BYTES = 1024 * 1024;
const MAX_WORDS = 500;
const MARKS: readonly [hex: string, name: string][] = [
  ['efbbbf', 'utf-8'],
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
];

/** Throws 'invalid' where the bytes are no text, or the encoding that was said is none. */
export function findEncoding(file: Buffer, said?: string): Encoding {
  const start = file.subarray(0, 4).toString('hex');
  if (start === 'fffe0000' || start === '0000feff') refuse(importFileTexts.utf32);
  const marked = MARKS.find(([hex]) => start.startsWith(hex));
  if (marked) return { name: marked[1], mark: marked[0].length / 2, ballot: null };
  const sample = file.subarray(0, SAMPLE_BYTES);
  const wide = wideEncoding(sample);
  if (wide) return { name: wide, mark: 0, ballot: null };
  refuseBinary(sample);
  if (isUtf8(file)) return { name: 'utf-8', mark: 0, ballot: null };
  refuseMixture(sample);
  const ballot = holdLetters(sample);
  return { name: known(said) ?? ballot.proven ?? ballot.possible[0]?.name ?? 'windows-1252', mark: 0, ballot };
}

function known(said: string | undefined): string | undefined {
  try {
    return said === undefined ? undefined : new TextDecoder(said).encoding;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return refuse(`There is no encoding '${said?.slice(0, 20)}'.`, 'encoding');
  }
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
  if (controls > Math.max(3, sample.length / 100)) refuse(importFileTexts.binary);
}

/** UTF-8, of which some bytes are not: as where lines of two files were put together. */
function refuseMixture(sample: Buffer): void {
  const text = new TextDecoder('utf-8').decode(sample, { stream: true });
  const read = text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
  const lost = text.match(/\ufffd/g)?.length ?? 0;
  if (lost === 0 || read < lost) return;
  const row = text.slice(0, text.indexOf('\ufffd')).split(/\r\n?|\n/).length;
  refuseAt(row, undefined, importFileTexts.mixedEncoding);
}

function holdLetters(sample: Buffer): Ballot<string> {
  const ballot = new Ballot<string>(ENCODINGS);
  for (const word of wordsBeyondAscii(sample)) {
    const readings: ReadingsByWay<string> = {};
    for (const name of ENCODINGS) {
      const text = new TextDecoder(name).decode(word);
      if (isWord(text)) readings[name] = text;
    }
    ballot.vote({ row: 0, text: readings['windows-1252'] ?? word.toString('latin1') }, readings);
  }
  return ballot;
}

function wordsBeyondAscii(sample: Buffer): Buffer[] {
  const words = sample.toString('latin1').match(/[A-Za-z'\x80-\xff]*[\x80-\xff][A-Za-z'\x80-\xff]*/g) ?? [];
  return [...new Set(words)].slice(0, MAX_WORDS).map((word) => Buffer.from(word, 'latin1'));
}

/** Letters of one script, capitals at the front or throughout, with signs between words at most. */
function isWord(text: string): boolean {
  if (/[\0-\x1f\x7f-\x9f\ufffd]/.test(text) || /\p{Ll}\p{Lu}/u.test(text)) return false;
  if (SCRIPTS.filter((script) => script.test(text)).length > 1) return false;
  return !/[^\p{L}\p{M}'’‘“”–—…°ºª\u00a7€·«»]/u.test(text);
}

const SCRIPTS = [/\p{sc=Latin}/u, /\p{sc=Cyrillic}/u, /\p{sc=Greek}/u, /[\p{sc=Han}\p{sc=Katakana}\p{sc=Hiragana}]/u];

import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isStorable } from '../../storable-text.ts';
import { IMPORT_KINDS } from '../records.ts';

/** One of a file's open ends, as screen, call and command put it. */
export interface Question {
  name: keyof Answers;
  /** The field that is asked about, for `values`, `words`, `units` and `columns`. */
  field?: string;
  /** The word of the file that is asked about, for `words`. */
  word?: string;
  text: string;
  options: { value: string; text: string }[];
}

export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export const DECIMAL_SIGNS = ['point', 'comma'] as const;
/** Lengths and readings have these units; the last two are how meters without a point are copied. */
const UNITS = ['hours', 'minutes', 'hmm', 'tenths', 'hundredths'] as const;

export type DateOrder = (typeof DATE_ORDERS)[number];
export type DecimalSign = (typeof DECIMAL_SIGNS)[number];
export type Unit = (typeof UNITS)[number];

/** How a file writes its values; dates without a zone are the school's. */
export interface ImportFormats {
  decimals: DecimalSign;
  dates: DateOrder;
  /** The unit of each field; it is hours where none is named. */
  units: Partial<Record<string, Unit>>;
  /** The year of each field whose days may be written without one. */
  years: Partial<Record<string, string>>;
}

const words = z.record(z.string(), z.string());

/** Answers that somebody has given about a file where its cells do not prove it. */
export const answersSchema = z.object({
  /** '' while nobody has said what the file holds, and its columns do not. */
  kind: z.enum([...IMPORT_KINDS, '']).optional(),
  dates: z.enum(DATE_ORDERS).optional(),
  decimals: z.enum(DECIMAL_SIGNS).optional(),
  /** Several where lengths and readings are open: each is taken for what it fits. */
  units: z.array(z.enum(UNITS)).optional(),
  encoding: z.string().max(20).optional(),
  sheet: z.string().max(200).optional(),
  headings: z
    .string()
    .regex(/^\d{1,7}$/, 'This is the number of a row; 0 where the file has no headings')
    .optional(),
  /** Heading → field; '' for a column that is left out. */
  columns: words.optional(),
  /** Field → value for every row. */
  values: words.optional(),
  /** Field → word of the file → its meaning. */
  words: z.record(z.string(), words).optional(),
});

export type Answers = z.infer<typeof answersSchema>;

const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text, requireStorable) as unknown;
  } catch {
    context.addIssue({ code: 'custom', message: 'This is no JSON, such as {"Heading": "field"}' });
    return z.NEVER;
  }
});

function requireStorable(key: string, value: unknown): unknown {
  if (isStorable(key) && (typeof value !== 'string' || isStorable(value))) return value;
  throw new SyntaxError('a character cannot be stored');
}

const { dates, decimals, encoding, sheet, headings } = answersSchema.shape;

/** The answers as texts, which a call and the command take; columns, values and words are JSON. */
export const answerTextsSchema = z.object({
  dates: dates.describe('How the file writes days, where its cells leave it open'),
  decimals: decimals.describe('What stands before decimals'),
  units: z
    .string()
    .transform((text) => text.split(/[,\s]+/))
    .pipe(z.array(z.enum(UNITS)))
    .optional()
    .describe('Of lengths and readings: minutes, hours, hmm, tenths or hundredths; several by commas'),
  encoding: encoding.describe("Of a text file, such as 'windows-1250'"),
  sheet: sheet.describe('The table that is read, where the file has several'),
  headings: headings.describe(
    'The row of the headings, where it is not the one that is found; 0 where the file has none',
  ),
  columns: json.pipe(words).optional().describe("JSON: heading → field, '' for a column that is left out"),
  values: json.pipe(words).optional().describe('JSON: field → value for every row'),
  words: json.pipe(z.record(z.string(), words)).optional().describe('JSON: field → word of the file → its meaning'),
});

export const ANSWER_NAMES = answerTextsSchema.keyof().options;

export function withAnswer(answers: Answers, { name, field = '', word = '' }: Question, value: string): Answers {
  if (name === 'units')
    return { ...answers, units: [...(answers.units ?? []), ...answersSchema.shape.units.unwrap().parse([value])] };
  if (name === 'values') return { ...answers, values: { ...answers.values, [field]: value } };
  // A column that names a time and holds none is left out; any other is the field's from now on.
  if (name === 'columns')
    return { ...answers, columns: { ...answers.columns, [value]: word.startsWith('leave out') ? '' : field } };
  if (name === 'words')
    return { ...answers, words: { ...answers.words, [field]: { ...answers.words?.[field], [word]: value } } };
  return answersSchema.parse({ ...answers, [name]: value });
}

/** The name of an answer in a form, whatever word the question is about. */
export function answerFieldNameOf({ name, field = '', word = '' }: Pick<Question, 'name' | 'field' | 'word'>): string {
  return `q${createHash('sha256').update([name, field, word].join('\n')).digest('hex').slice(0, 16)}`;
}

import { z } from 'zod';

/** One of a file's open ends, as screen, call and command put it. */
export interface Question {
  /** The answer that settles it. */
  name: keyof Answers;
  /** Of which field it is asked, for `values`, `words` and `columns`. */
  field?: string;
  /** Of the file that is asked about, for `words`. */
  word?: string;
  text: string;
  options: { value: string; text: string }[];
}

export const DATE_ORDERS = ['dmy', 'mdy', 'ymd'] as const;
export const DECIMAL_SIGNS = ['point', 'comma'] as const;
/** Of lengths and readings; the last three are how meters without a point are copied. */
export const UNITS = ['hours', 'minutes', 'hmm', 'tenths', 'hundredths'] as const;

export type DateOrder = (typeof DATE_ORDERS)[number];
export type DecimalSign = (typeof DECIMAL_SIGNS)[number];
export type Unit = (typeof UNITS)[number];

const words = z.record(z.string(), z.string());

/** What somebody has said about a file that its cells do not prove. */
export const answersSchema = z.object({
  dates: z.enum(DATE_ORDERS).optional(),
  decimals: z.enum(DECIMAL_SIGNS).optional(),
  /** Several where lengths and readings are open: each is taken for what it fits. */
  units: z.array(z.enum(UNITS)).optional(),
  encoding: z.string().max(20).optional(),
  sheet: z.string().max(200).optional(),
  headings: z.int().min(0).max(2).optional(),
  /** Heading → field; '' for a column that is left out. */
  columns: words.optional(),
  /** Field → value for every row. */
  values: words.optional(),
  /** Field → word of the file → its meaning. */
  words: z.record(z.string(), words).optional(),
});

export type Answers = z.infer<typeof answersSchema>;

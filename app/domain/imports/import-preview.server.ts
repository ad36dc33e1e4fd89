import { z } from 'zod';
import { IMPORT_ROWS_SHOWN } from '#app/limits.ts';
import type { Plan } from './plan/plan.ts';
import type { ImportKind } from './records.ts';

const rowProblemSchema = z.strictObject({
  row: z.int().describe('From 1, the heading included'),
  column: z.string().nullable().describe("The file's own heading"),
  message: z.string(),
});

const counts = {
  rows: z
    .int()
    .describe('All below the heading; those that are in no other count are sums, repeated headings or footers'),
  added: z.int().describe('New records'),
  changed: z.int().describe('Records that get other values'),
  present: z.int().describe('Rows whose record is there already'),
  refused: z.int().describe('Rows that cannot be imported'),
};

/** What an import would do; of long lists the first rows. */
export const importPreviewSchema = z.strictObject({
  ...counts,
  problems: z.array(rowProblemSchema).describe('Why rows are refused, the first hundred'),
  remarks: z.array(rowProblemSchema).describe('What is odd, the first hundred'),
  changes: z.array(rowProblemSchema).describe('What changes, the first hundred'),
});

export const importCountsSchema = z.strictObject(counts);

export type ImportPreview = z.infer<typeof importPreviewSchema>;

export function toPreview<Kind extends ImportKind>(rows: number, plan: Plan<Kind>): ImportPreview {
  const first = <Item>(items: Item[]) => items.slice(0, IMPORT_ROWS_SHOWN);
  return {
    rows,
    added: plan.added.length,
    changed: plan.changed.length,
    present: plan.present,
    refused: new Set(plan.problems.map(({ row }) => row)).size,
    problems: first(plan.problems),
    remarks: first(plan.remarks),
    changes: first(plan.changed).map(({ row, name, before, after }) => ({
      row,
      column: null,
      message: `${name}: ${Object.keys(after)
        .filter((key) => before[key] !== after[key])
        .map((key) => `${key.replaceAll('_', ' ')} ${before[key] ?? '–'} → ${after[key] ?? '–'}`)
        .join(', ')}`,
    })),
  };
}

/** Of a file that leaves questions open. */
export function unplanned(rows: number): ImportPreview {
  return { rows, added: 0, changed: 0, present: 0, refused: 0, problems: [], remarks: [], changes: [] };
}

/** Rows that are no records: sums, repeated headings, footers. */
export function skippedRows({ rows, added, changed, present, refused }: z.infer<typeof importCountsSchema>): number {
  return rows - added - changed - present - refused;
}

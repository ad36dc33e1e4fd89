import { IMPORT_FIELDS } from '../columns/import-fields.ts';
import type { ImportColumns, ImportKind } from '../records.ts';

/** What can come from one column or another. */
const ALTERNATIVES: Partial<Record<ImportKind, [labels: string, fields: string[]][]>> = {
  flights: [
    ['Start: date and time', ['startedAt', 'startDate']],
    ['End Hobbs', ['endHobbs', 'hobbsHours']],
    ['End tach', ['endTach', 'tachHours']],
  ],
  inspections: [['Due at Hobbs, due at tach or due on', ['dueHobbs', 'dueTach', 'dueOn']]],
};

const METER = /^(Start|End) (Hobbs|tach)$/;
const ONE_METER = ' Where aircraft have one meter, choose its column for both.';

/** A sentence for each column without which no row can be read. */
export function missingColumns(kind: ImportKind, columns: ImportColumns): string[] {
  const isMissing = (field: string) => columns[field] == null;
  const required = IMPORT_FIELDS[kind].filter(({ name, isRequired }) => isRequired && isMissing(name));
  const alternatives = (ALTERNATIVES[kind] ?? []).filter(([, fields]) => fields.every(isMissing));
  const labels = [...required.map(({ label }) => label), ...alternatives.map(([label]) => label)];
  return labels.map((label) => `No column is chosen for '${label}'.${METER.test(label) ? ONE_METER : ''}`);
}

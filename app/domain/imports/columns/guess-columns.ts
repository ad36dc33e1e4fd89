import type { ImportColumns, ImportFormats, ImportKind, ImportTable } from '../records.ts';

const fieldsOf = (names: string) =>
  names
    .split(' ')
    .map((name) => ({ name: name.replace('!', ''), label: name.replace('!', ''), isRequired: name.endsWith('!') }));

export const IMPORT_FIELDS: Record<ImportKind, { name: string; label: string; isRequired: boolean }[]> = {
  fleet: fieldsOf('tailNumber! make! model! year! inMaintenance lastHobbs lastTach'),
  people: fieldsOf('username! name email! role!'),
  flights: fieldsOf(
    'sourceId tailNumber! pilot! instructor startedAt! completedAt! startHobbs! endHobbs! startTach! endTach! instructorTimeIn instructorTimeOut groundSchoolTime oilQuarts refueled notes',
  ),
  squawks: fieldsOf('tailNumber! text! author unsafe state reportedAt! remark'),
  inspections: fieldsOf('tailNumber! name! dueHobbs dueTach dueOn intervalHours intervalDays intervalMonths'),
};

export function guessColumns(kind: ImportKind, { header }: ImportTable): ImportColumns {
  const positions = IMPORT_FIELDS[kind].map(({ name }) => [name, header.indexOf(name)] as const);
  return Object.fromEntries(positions.map(([name, at]) => [name, at === -1 ? null : at]));
}

export function guessKind(table: ImportTable): ImportKind | null {
  const kinds = ['flights', 'fleet', 'people', 'squawks', 'inspections'] as const;
  return (
    kinds.find((kind) =>
      IMPORT_FIELDS[kind].every(({ name, isRequired }) => !isRequired || table.header.includes(name)),
    ) ?? null
  );
}

export function guessFormats(_table: ImportTable, _columns: ImportColumns): ImportFormats {
  return { decimals: '.', dates: 'year first' };
}

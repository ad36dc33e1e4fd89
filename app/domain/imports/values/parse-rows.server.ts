import { ROLES } from '#db/roles.ts';
import type {
  ImportColumns,
  ImportFormats,
  ImportKind,
  ImportTable,
  ParsedRows,
  RecordsByKind,
  RowProblem,
} from '../records.ts';

type Read = (field: string) => string;
type Readers = { [Kind in ImportKind]: (row: number, read: Read) => RecordsByKind[Kind] };

const READERS: Readers = {
  fleet: (row, read) => ({
    row,
    tailNumber: read('tailNumber'),
    make: read('make'),
    model: read('model'),
    year: Number(read('year')),
    inMaintenance: read('inMaintenance') === 'yes',
    lastHobbs: read('lastHobbs') || null,
    lastTach: read('lastTach') || null,
  }),
  people: (row, read) => ({
    row,
    username: read('username'),
    name: read('name') || null,
    email: read('email'),
    role: ROLES.find((role) => role === read('role')) ?? 'student',
  }),
  flights: (row, read) => ({
    row,
    sourceId: read('sourceId') || null,
    tailNumber: read('tailNumber'),
    pilot: read('pilot'),
    instructor: read('instructor') || null,
    startedAt: new Date(read('startedAt')),
    completedAt: new Date(read('completedAt')),
    startHobbs: read('startHobbs'),
    endHobbs: read('endHobbs'),
    startTach: read('startTach'),
    endTach: read('endTach'),
    instructorTimeIn: read('instructorTimeIn') || null,
    instructorTimeOut: read('instructorTimeOut') || null,
    groundSchoolTime: read('groundSchoolTime') || '0',
    oilQuarts: read('oilQuarts') || null,
    refueled: read('refueled') === 'yes',
    notes: read('notes'),
  }),
  squawks: (row, read) => ({
    row,
    tailNumber: read('tailNumber'),
    text: read('text'),
    author: read('author') || null,
    unsafe: read('unsafe') === 'yes',
    state: (['deferred', 'fixed'] as const).find((state) => state === read('state')) ?? 'open',
    reportedAt: new Date(read('reportedAt')),
    remark: read('remark'),
  }),
  inspections: (row, read) => ({
    row,
    tailNumber: read('tailNumber'),
    name: read('name'),
    dueHobbs: read('dueHobbs') || null,
    dueTach: read('dueTach') || null,
    dueOn: read('dueOn') || null,
    intervalHours: read('intervalHours') || null,
    intervalDays: read('intervalDays') ? Number(read('intervalDays')) : null,
    intervalMonths: read('intervalMonths') ? Number(read('intervalMonths')) : null,
  }),
};

export function parseRows<Kind extends ImportKind>(
  kind: Kind,
  { header, rows }: ImportTable,
  columns: ImportColumns,
  _formats: ImportFormats,
  _school: { timeZone: string },
): ParsedRows<Kind> {
  const problems: RowProblem[] = [];
  const records = rows.flatMap(({ number, cells }) => {
    const read: Read = (field) => {
      const at = columns[field];
      return at == null ? '' : (cells[at] ?? '').trim();
    };
    if (cells.length <= header.length) return [READERS[kind](number, read)];
    problems.push({ row: number, column: null, message: 'This row has more cells than the heading.' });
    return [];
  });
  return { records, problems };
}

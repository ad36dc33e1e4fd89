import type { ImportFormats } from '#app/domain/imports/reading/answers.ts';
import type { ImportKind } from '#app/domain/imports/records.ts';

export interface ImportFixture {
  fileName: string;
  kind: ImportKind;
  /** The field of each heading, '' where it is of none. */
  columns: Record<string, string>;
  formats: Pick<ImportFormats, 'dates' | 'decimals'>;
  timeZone: string;
  /** Rows that become records. */
  rows: number[];
  /** Some fields of the first record. */
  first: Record<string, unknown>;
  problems: RegExp[];
}

/** Of the exported flights. */
export const OWN_COLUMNS = {
  id: 'id',
  aircraft: 'aircraft',
  make: '',
  model: '',
  pilot: 'pilot',
  'pilot email': '',
  instructor: 'instructor',
  status: 'status',
  started: 'start',
  completed: 'end',
  'duration hours': 'hours',
  'start Hobbs': 'startHobbs',
  'end Hobbs': 'endHobbs',
  'Hobbs hours': 'hobbsHours',
  'start tach': 'startTach',
  'end tach': 'endTach',
  'tach hours': 'tachHours',
  'instructor in': 'instructorTimeIn',
  'instructor out': 'instructorTimeOut',
  'instructor hours': '',
  'ground hours': 'groundSchoolTime',
  refueled: 'refueled',
  'oil added': '',
  'oil quarts': 'oil',
  squawks: 'notes',
  corrected: '',
  'reading flags': 'readingFlags',
  'meter changes': 'meterChanges',
  departed: 'departed',
  landed: 'landed',
  'block hours': '',
  'pilot id': '',
  'instructor id': '',
  'aircraft id': '',
  'tail number with years': '',
};

type Sheet = Omit<ImportFixture, 'fileName' | 'formats'> & { name: string; dates: ImportFixture['formats']['dates'] };

/** Typed, or an export opened, in LibreOffice Calc 7.4 in three languages, and saved there as xlsx and as CSV. */
const SHEETS: Sheet[] = [
  {
    name: 'calc-german',
    dates: 'dmy',
    kind: 'flights',
    columns: {
      Datum: 'date',
      Kennzeichen: 'aircraft',
      Pilot: 'pilot',
      Fluglehrer: 'instructor',
      Startzeit: 'start',
      Landezeit: 'end',
      'Betriebsstunden Anfang': 'startHobbs',
      'Betriebsstunden Ende': 'endHobbs',
      'Motorstunden von': 'startTach',
      'Motorstunden bis': 'endTach',
      'Öl (l)': 'oil',
      Bemerkungen: 'notes',
    },
    timeZone: 'Europe/Berlin',
    rows: [2, 3, 4],
    first: {
      ...{ tailNumber: 'D-EABC', pilot: 'Müller, Jörg', instructor: null, notes: 'Platzrunden; Seitenwind' },
      ...{ startedAt: new Date('2026-05-12T07:05:00Z'), completedAt: new Date('2026-05-12T08:35:00Z') },
      ...{ startHobbs: '1234.5', endHobbs: '1235.9', endTach: '989.31', oilQuarts: '0.5' },
    },
    problems: [],
  },
  {
    name: 'calc-french',
    dates: 'dmy',
    kind: 'flights',
    columns: {
      Date: 'date',
      Immatriculation: 'aircraft',
      Pilote: 'pilot',
      Instructeur: 'instructor',
      'Heure de départ': 'start',
      "Heure d'arrivée": 'end',
      'Horamètre départ': 'startHobbs',
      'Horamètre arrivée': 'endHobbs',
      'Tachymètre départ': 'startTach',
      'Tachymètre arrivée': 'endTach',
      Huile: 'oil',
      Remarques: 'notes',
    },
    timeZone: 'Europe/Paris',
    rows: [2, 3, 4],
    first: {
      ...{ tailNumber: 'F-GABC', pilot: 'Élise Lefèvre', instructor: null, notes: 'Tours de piste' },
      ...{ startedAt: new Date('2026-05-12T07:05:00Z'), completedAt: new Date('2026-05-12T08:35:00Z') },
      ...{ startHobbs: '1234.5', endHobbs: '1235.9', endTach: '989.31', oilQuarts: '0.5' },
    },
    problems: [],
  },
  {
    name: 'calc-swedish',
    dates: 'ymd',
    kind: 'flights',
    columns: OWN_COLUMNS,
    timeZone: 'America/Los_Angeles',
    rows: [2, 3, 4, 5],
    first: {
      ...{ sourceId: '60', tailNumber: 'N738CP', pilot: 'student', instructor: null, refueled: true },
      ...{ startedAt: new Date('2026-11-20T21:56:00Z'), completedAt: new Date('2026-11-20T23:04:00Z') },
      ...{ startHobbs: '8424.6', endHobbs: '8425.4', startTach: '7200.98', endTach: '7201.68' },
      notes: 'Stall horn silent on the ground check, worked in the air.',
    },
    problems: [],
  },
];

/** A workbook has numbers and dates, whatever the language; a CSV file has what Calc shows. */
export const CALC_FIXTURES: ImportFixture[] = SHEETS.flatMap(({ name, dates, ...fixture }) => [
  { ...fixture, fileName: `${name}.csv`, formats: { decimals: 'comma', dates } },
  { ...fixture, fileName: `${name}.xlsx`, formats: { decimals: 'point', dates: 'ymd' } },
]);

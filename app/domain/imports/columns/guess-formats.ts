import type { ImportColumns, ImportFormats, ImportTable } from '../records.ts';
import { plainWords } from './heading-words.ts';

const DATE_FIELDS = ['startedAt', 'startDate', 'completedAt', 'endDate', 'reportedAt', 'dueOn'];
const NUMBER_FIELDS = [
  ...['startHobbs', 'endHobbs', 'hobbsHours', 'startTach', 'endTach', 'tachHours', 'flightHours', 'groundSchoolTime'],
  ...['oilQuarts', 'lastHobbs', 'lastTach', 'dueHobbs', 'dueTach', 'intervalHours'],
];

/** From cells of the whole file; what they leave open is as schools of the headings' language write it. */
export function guessFormats(table: ImportTable, columns: ImportColumns): ImportFormats {
  const english = isEnglish(table.header);
  const decimals = guessDecimals(table, chosen(columns, NUMBER_FIELDS)) ?? (english ? '.' : ',');
  return {
    decimals,
    dates:
      guessDates(table, chosen(columns, DATE_FIELDS)) ?? (english && decimals === '.' ? 'month first' : 'day first'),
  };
}

function chosen(columns: ImportColumns, fields: string[]): number[] {
  return fields.flatMap((field) => columns[field] ?? []);
}

const SAMPLE_ROWS = 5000;

function sampleOf({ rows }: ImportTable) {
  const step = Math.ceil(rows.length / SAMPLE_ROWS);
  return rows.filter((_, at) => at % step === 0);
}

function guessDecimals(table: ImportTable, columns: number[]): ImportFormats['decimals'] | undefined {
  let [points, commas] = [0, 0];
  for (const { cells } of sampleOf(table)) {
    for (const column of columns) {
      const [, last] = /([.,])\d{1,2}\D*$/.exec(cells[column] ?? '') ?? [];
      if (last === '.') points += 1;
      else if (last === ',') commas += 1;
    }
  }
  if (points === commas) return undefined;
  return points > commas ? '.' : ',';
}

/** One day above 12 shows the order of all. */
function guessDates(table: ImportTable, columns: number[]): ImportFormats['dates'] | undefined {
  const votes = { 'year first': 0, 'day first': 0, 'month first': 0 };
  let dotted = 0;
  for (const { cells } of sampleOf(table)) {
    for (const column of columns) {
      const [, first = '', separator, second = ''] =
        /^\D{0,3}(\d{1,4})([-./])(\d{1,2})[-./]\d/.exec(cells[column] ?? '') ?? [];
      if (first.length > 2) votes['year first'] += 1;
      else if (Number(first) > 12) votes['day first'] += 1;
      else if (Number(second) > 12) votes['month first'] += 1;
      if (separator === '.' && first.length < 3) dotted += 1;
    }
  }
  const [best, count] = Object.entries(votes).reduce((most, next) => (next[1] > most[1] ? next : most));
  if (dotted > 0 && votes['month first'] === 0) return 'day first';
  return count > 0 ? (best as ImportFormats['dates']) : undefined;
}

const OTHER_LANGUAGES = new Set(
  (
    'datum kennzeichen kennung zeit stand zahler pilotin fluglehrer lehrer flugzeug bemerkung bemerkungen ' +
    'immatriculation immat avion pilote instructeur heure heures debut depart arrivee remarques duree ' +
    'fecha matricula piloto aeronave hora horas inicio salida llegada observaciones duracion nombre correo prenom courriel vorname'
  ).split(' '),
);

function isEnglish(header: string[]): boolean {
  return !header.some((heading) => plainWords(heading).some((word) => OTHER_LANGUAGES.has(word)));
}

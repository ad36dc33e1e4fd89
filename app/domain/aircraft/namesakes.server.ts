import type { Db, Trx } from '#db/connect.server.ts';
import { formatYear } from '../format.server.ts';
import { hasNamesake } from '../people/namesakes.server.ts';

interface Namesake {
  id: number;
  tailNumber: string;
  addedAt: Date;
  removedAt: Date | null;
}

/** Returns 'N512FL (2019–2024)' by the id of each aircraft whose tail number another of the school has or had. */
export async function findTailNumbersWithYears(
  db: Db | Trx,
  { schoolId, timeZone }: { schoolId: number | null; timeZone: string },
): Promise<Map<number, string>> {
  return toTailNumbersWithYears(await namesakeAircraftQuery(db, schoolId).execute(), timeZone);
}

export function namesakeAircraftQuery(db: Db | Trx, schoolId: number | null) {
  return db
    .selectFrom('aircraft')
    .select(['id', 'tail_number as tailNumber', 'created_at as addedAt', 'deleted_at as removedAt'])
    .where('school_id', '=', schoolId)
    .where(hasNamesake('aircraft', 'tail_number', 'other'))
    .orderBy('id');
}

/** Adds the years to tail numbers; aircraft of the same years are told apart by their ids. */
export function toTailNumbersWithYears(namesakes: readonly Namesake[], timeZone: string): Map<number, string> {
  const texts = namesakes.map((one) => `${one.tailNumber} (${yearsOf(one, timeZone)})`);
  const isAmbiguous = (text: string) => texts.indexOf(text) !== texts.lastIndexOf(text);
  return new Map(
    namesakes.map(({ id }, index) => {
      const text = texts[index] ?? '';
      return [id, isAmbiguous(text) ? `${text.slice(0, -1)}, id ${id})` : text];
    }),
  );
}

function yearsOf({ addedAt, removedAt }: Namesake, timeZone: string): string {
  const from = formatYear(addedAt, timeZone);
  if (removedAt === null) return `since ${from}`;
  const until = formatYear(removedAt, timeZone);
  return until === from ? from : `${from}–${until}`;
}

import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { MeterType } from '#db/tables.ts';
import { serverOnlyPaths } from '#app/paths.ts';
import { choicesOf } from './figures.ts';
import type { Scan } from './schema.server.ts';

export interface ScanFilter {
  after?: number | undefined;
  limit?: number | undefined;
}

/** Finds scans, newest first. */
export async function findScans(
  db: Db | Trx,
  schoolId: number | null,
  { after, limit }: ScanFilter = {},
): Promise<Scan[]> {
  const rows = await scanQuery(db, schoolId)
    .$if(after !== undefined, (query) => query.where('scans.id', '<', after ?? 0))
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .orderBy('scans.id', 'desc')
    .execute();
  return rows.map(toScan);
}

/** Finds a scan; undefined outside the school. */
export async function findScan(db: Db | Trx, schoolId: number | null, id: number): Promise<Scan | undefined> {
  const row = await scanQuery(db, schoolId).where('scans.id', '=', id).executeTakeFirst();
  return row && toScan(row);
}

/** Finds the meter's digit count, once a pilot has flown on a reading as it was read. */
export async function findDigitCount(db: Db, schoolId: number | null, aircraftId: number, meterType: MeterType) {
  const meter = meterType === 'hobbs' ? 'hobbs' : 'tach';
  const readings = (when: 'start' | 'end') =>
    db
      .selectFrom('flight_logs')
      .select([`${when}_${meter}_photo_id as photo_id`, `${when}_${meter} as reading`])
      .where('school_id', '=', schoolId)
      .where('aircraft_id', '=', aircraftId)
      .where(`${when}_${meter}_photo_id`, 'is not', null);
  const row = await db
    .selectFrom('scans')
    .innerJoin(readings('start').unionAll(readings('end')).as('confirmed'), (join) =>
      join
        .onRef('confirmed.photo_id', '=', 'scans.photo_id')
        .on(sql<boolean>`confirmed.reading = scans.detected_text::numeric`),
    )
    .select('scans.digits')
    .where('scans.school_id', '=', schoolId)
    .where('scans.aircraft_id', '=', aircraftId)
    .where('meter_type', '=', meterType)
    .where('digits', 'is not', null)
    .orderBy('scans.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.digits ?? undefined;
}

/** Finds the reading and the time of the start; undefined unless the aircraft is in flight. */
export async function findOpenFlightStart(
  db: Db,
  schoolId: number | null,
  aircraftId: number,
  meterType: MeterType,
): Promise<{ value: string; at: Date } | undefined> {
  return db
    .selectFrom('flight_logs')
    .select([meterType === 'hobbs' ? 'start_hobbs as value' : 'start_tach as value', 'created_at as at'])
    .where('school_id', '=', schoolId)
    .where('aircraft_id', '=', aircraftId)
    .where('completed_at', 'is', null)
    .where('voided_at', 'is', null)
    .executeTakeFirst();
}

function scanQuery(db: Db | Trx, schoolId: number | null) {
  return db
    .selectFrom('scans')
    .innerJoin('aircraft', 'aircraft.id', 'scans.aircraft_id')
    .select([
      'scans.id',
      'aircraft.id as aircraft_id',
      'tail_number',
      'make',
      'model',
      'meter_type',
      'detected_text',
      'confidence',
      'other_text',
      'other_kind',
      'figures',
      'is_impossible',
      'scans.created_at',
      'photo_id',
      'crop_id',
    ])
    .where('scans.school_id', '=', schoolId);
}

type ScanRow = Awaited<ReturnType<ReturnType<typeof scanQuery>['execute']>>[number];

function toScan(row: ScanRow): Scan {
  return {
    id: row.id,
    aircraft: { id: row.aircraft_id, tailNumber: row.tail_number, make: row.make, model: row.model },
    meterType: row.meter_type,
    ...toReadings(row),
    figures: row.figures.map((figure) => ({ ...figure, choices: choicesOf(figure) })),
    photo: serverOnlyPaths.photo(row.photo_id),
    crop: row.crop_id === null ? null : serverOnlyPaths.photo(row.crop_id),
    createdAt: row.created_at.toISOString(),
  };
}

/** A reading that the meter cannot show is offered as that of another counter. */
function toReadings(row: ScanRow): Pick<Scan, 'detectedText' | 'confidence' | 'otherText' | 'otherKind'> {
  if (row.is_impossible) {
    const other = { otherText: row.detected_text, otherKind: 'other counter' } as const;
    return { detectedText: '', confidence: row.confidence, ...other };
  }
  const otherKind = row.other_text === null ? null : (row.other_kind ?? 'same counter');
  return { detectedText: row.detected_text, confidence: row.confidence, otherText: row.other_text, otherKind };
}

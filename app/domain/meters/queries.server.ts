import { sql } from 'kysely';
import type { Db, Trx } from '#db/connect.server.ts';
import type { MeterType } from '#db/tables.ts';

/** A scan result as screens and calls see it (spec §3); `createdAt` in ISO-8601 UTC. */
export interface Scan {
  id: number;
  aircraft: { id: number; tailNumber: string; make: string; model: string };
  meterType: MeterType;
  detectedText: string;
  /** A numeric string, 0 to 1. */
  confidence: string;
  photo: string;
  createdAt: string;
}

export interface ScanFilter {
  /** Only scans older than this one. */
  after?: number | undefined;
  limit?: number | undefined;
}

/** The school's scans, newest first. */
export async function findScans(db: Db | Trx, schoolId: number, { after, limit }: ScanFilter = {}): Promise<Scan[]> {
  const rows = await scans(db, schoolId)
    .$if(after !== undefined, (query) => query.where('scans.id', '<', after ?? 0))
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .orderBy('scans.id', 'desc')
    .execute();
  return rows.map(toScan);
}

/** One scan of the school; undefined for one of another school too (C20). */
export async function findScan(db: Db | Trx, schoolId: number, id: number): Promise<Scan | undefined> {
  const row = await scans(db, schoolId).where('scans.id', '=', id).executeTakeFirst();
  return row && toScan(row);
}

function scans(db: Db | Trx, schoolId: number) {
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
      'scans.created_at',
    ])
    .select(sql<string>`'/photos/' || photo_id`.as('photo'))
    .where('scans.school_id', '=', schoolId);
}

type ScanRow = Awaited<ReturnType<ReturnType<typeof scans>['execute']>>[number];

function toScan(row: ScanRow): Scan {
  return {
    id: row.id,
    aircraft: { id: row.aircraft_id, tailNumber: row.tail_number, make: row.make, model: row.model },
    meterType: row.meter_type,
    detectedText: row.detected_text,
    confidence: row.confidence,
    photo: row.photo,
    createdAt: row.created_at.toISOString(),
  };
}

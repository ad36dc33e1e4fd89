import { sql } from 'kysely';
import type { Db } from '#db/connect.server.ts';

export interface BackupRecord {
  /** Moment that the backup shows, by the database's clock. */
  madeAt: Date;
  folder: string;
  file: string;
  bytes: number;
  /** Why there is no copy in the second place; null if there is one, or none is wanted. */
  copyFailure: string | null;
}

export interface BackupStatus {
  /** The one that was recorded last; undefined where none was. */
  last: BackupRecord | undefined;
  /** Age of that backup, or of the first school where there is none; undefined without a school. */
  ageSeconds: number | undefined;
  /** When a backup was last verified, whichever it was. */
  verified: { at: Date; ageSeconds: number } | undefined;
  /** Age of that verification, or of the first backup where there is none; undefined without a backup. */
  unprovenSeconds: number | undefined;
}

export async function recordBackup(db: Db, { madeAt, copyFailure, ...record }: BackupRecord): Promise<void> {
  await db
    .insertInto('backups')
    .values({ made_at: madeAt, copy_failure: copyFailure, ...record })
    .execute();
}

/** Records that the backup of this moment has its copy in the second place, or why it has none. */
export async function recordCopyOutcome(db: Db, madeAt: Date, failure: string | null): Promise<void> {
  await db.updateTable('backups').set({ copy_failure: failure }).where('made_at', '=', madeAt).execute();
}

/** Records that the backup of this moment, whatever its file is called now, was verified. */
export async function recordVerification(db: Db, madeAt: Date): Promise<void> {
  await db
    .updateTable('backups')
    .set({ verified_at: sql`now()` })
    .where('made_at', '=', madeAt)
    .execute();
}

export async function findBackupStatus(db: Db): Promise<BackupStatus> {
  // An age has no sign: a backup that a wrong clock dated far ahead is as doubtful as one that old.
  const { rows } = await sql<Found>`
    select made_at, folder, file, bytes::float8 as bytes, copy_failure, verified_at,
      abs(extract(epoch from now() - coalesce(made_at, first_school)))::float8 as age,
      abs(extract(epoch from now() - verified_at))::float8 as verified_age,
      abs(extract(epoch from now() - coalesce(verified_at, first_backup)))::float8 as unproven
    from (select min(created_at) as first_school from schools) as schools,
      (select max(verified_at) as verified_at, min(made_at) as first_backup from backups) as verified
      left join (select made_at, folder, file, bytes, copy_failure from backups order by id desc limit 1) as newest on true`.execute(
    db,
  );
  const {
    made_at: madeAt = null,
    folder,
    file,
    bytes,
    copy_failure: copyFailure,
    age,
    verified_at: at,
    verified_age,
    unproven,
  } = rows[0] ?? NOTHING;
  return {
    last: madeAt === null ? undefined : { madeAt, folder, file, bytes, copyFailure },
    ageSeconds: age ?? undefined,
    verified: at === null ? undefined : { at, ageSeconds: verified_age },
    unprovenSeconds: unproven ?? undefined,
  };
}

interface Found {
  made_at: Date | null;
  folder: string;
  file: string;
  bytes: number;
  copy_failure: string | null;
  verified_at: Date | null;
  age: number | null;
  verified_age: number;
  unproven: number | null;
}

const NOTHING: Found = {
  made_at: null,
  folder: '',
  file: '',
  bytes: 0,
  copy_failure: null,
  verified_at: null,
  age: null,
  verified_age: 0,
  unproven: null,
};

import type { Database } from '#db/tables.ts';

type TableName = keyof Database;

interface ArchivedTable {
  about: string;
  without?: readonly string[];
  /** The column that holds the school's id, if it is not `school_id`; null if none does. */
  owner?: string | null;
  where?: string;
  /** Column that its rows are in order of, if it is not `id`. */
  order?: string;
  /** Columns that hold ids, by the table of these ids. */
  references?: Readonly<Record<string, TableName>>;
}

/** Tables that go out, in the order in which they can come in again: no row refers to a later table. */
const ARCHIVED_TABLES = {
  schools: {
    about: 'the school and its settings',
    owner: 'id',
    without: ['removal_due_at', 'record_checked_at', 'record_flights', 'record_differences'],
  },
  users: {
    about: 'people, former ones too, without passwords',
    without: ['password_hash', 'password_generation', 'change_id', 'record_salt'],
  },
  aircraft: {
    about: 'the fleet, with the last readings',
    without: ['change_id'],
    references: { last_hobbs_by: 'users', last_tach_by: 'users' },
  },
  photos: {
    about: 'which photo is whose; the pictures are in photos/',
    without: ['content'],
    references: { user_id: 'users' },
  },
  flight_logs: {
    about: 'flights, open and cancelled ones too',
    without: ['change_id'],
    references: {
      aircraft_id: 'aircraft',
      user_id: 'users',
      instructor_id: 'users',
      completed_by: 'users',
      entered_by: 'users',
      voided_by: 'users',
      start_hobbs_photo_id: 'photos',
      start_tach_photo_id: 'photos',
      end_hobbs_photo_id: 'photos',
      end_tach_photo_id: 'photos',
    },
  },
  fuel_records: {
    about: 'fuel and oil of flights',
    references: { flight_log_id: 'flight_logs', receipt_photo_id: 'photos' },
  },
  flight_log_revisions: {
    about: 'corrections of flights: what was there before, who changed it and why',
    references: { flight_log_id: 'flight_logs', user_id: 'users' },
  },
  meter_segments: {
    about: 'the meters of each aircraft, from one replacement to the next',
    references: { aircraft_id: 'aircraft', declared_by: 'users', flight_log_id: 'flight_logs' },
  },
  squawks: {
    about: 'squawks as they stand',
    without: ['change_id'],
    references: { aircraft_id: 'aircraft', flight_log_id: 'flight_logs', user_id: 'users' },
  },
  squawk_events: {
    about: 'what became of each squawk, step by step',
    references: { squawk_id: 'squawks', user_id: 'users' },
  },
  squawk_photos: {
    about: 'which photos belong to which squawk',
    order: 'squawk_id, photo_id',
    references: { squawk_id: 'squawks', photo_id: 'photos' },
  },
  inspections: {
    about: 'inspections, and when each is due',
    references: { aircraft_id: 'aircraft' },
  },
  inspection_completions: {
    about: 'when each inspection was done, and by whom',
    references: { inspection_id: 'inspections', user_id: 'users' },
  },
  scans: {
    about: 'what was read from photos of meters',
    references: { aircraft_id: 'aircraft', user_id: 'users', photo_id: 'photos', crop_id: 'photos' },
  },
  invitations: {
    about: 'invitations, without the links in their mails',
    without: ['token_hash', 'mail_id', 'link_made_by', 'record_salt'],
    references: { invited_by: 'users', accepted_by: 'users', former_user_id: 'users' },
  },
  imports: {
    about: 'files that were imported, without what was in them',
    where: "state <> 'uploaded'",
    without: ['content', 'archive', 'requested', 'requested_by', 'requested_at'],
    references: { user_id: 'users' },
  },
  import_rows: {
    about: 'which row of which file each record came from',
    references: {
      import_id: 'imports',
      aircraft_id: 'aircraft',
      user_id: 'users',
      flight_log_id: 'flight_logs',
      squawk_id: 'squawks',
      inspection_id: 'inspections',
    },
  },
  audit_entries: {
    about: 'events: who did what, and when',
    references: { user_id: 'users' },
  },
  audit_emails: {
    about: 'email addresses in events, with what their digest is made from',
    owner: null,
    where: 'entry_id in (select id from audit_entries where school_id = $school)',
    order: 'entry_id',
    references: { entry_id: 'audit_entries' },
  },
  audit_seals: {
    about: 'the chain of hashes that shows whether an event was changed',
    owner: 'chain',
    order: 'position',
    references: { entry_id: 'audit_entries' },
  },
} as const satisfies Partial<Record<TableName, ArchivedTable>>;

export type ArchivedTableName = keyof typeof ARCHIVED_TABLES;

export const ARCHIVED_TABLE_NAMES = Object.keys(ARCHIVED_TABLES) as ArchivedTableName[];

export function archivedTable(name: ArchivedTableName): ArchivedTable {
  return ARCHIVED_TABLES[name];
}

export function ownerColumn(name: ArchivedTableName): string | null {
  const { owner = 'school_id' } = archivedTable(name);
  return owner;
}

/** Table of the row that an event is about, by its `subject`. */
export const TABLES_OF_SUBJECTS: ReadonlyMap<unknown, ArchivedTableName> = new Map([
  ['aircraft', 'aircraft'],
  ['flight log', 'flight_logs'],
  ['squawk', 'squawks'],
  ['inspection', 'inspections'],
  ['user', 'users'],
  ['invitation', 'invitations'],
  ['school', 'schools'],
]);

export const LISTS: ReadonlyMap<string, ArchivedTableName> = new Map([
  ['unsafe_at_start', 'squawks'],
  ['deferrals_over_at_start', 'squawks'],
  ['overdue_at_start', 'inspections'],
]);

const SIGN_IN = 'it lets somebody sign in';
const SHORT_LIVED = 'it is deleted by itself soon, and says nothing that other files do not';

/** Tables that stay behind, and why. */
export const LEFT_OUT_TABLES: Readonly<Record<Exclude<TableName, ArchivedTableName>, string>> = {
  sessions: SIGN_IN,
  second_factors: SIGN_IN,
  recovery_codes: SIGN_IN,
  passkeys: SIGN_IN,
  access_tokens: SIGN_IN,
  calendar_links: 'whoever has one sees a calendar without signing in',
  password_links: SIGN_IN,
  used_passkey_challenges: SHORT_LIVED,
  login_attempts: SHORT_LIVED,
  password_link_requests: SHORT_LIVED,
  idempotency_keys: SHORT_LIVED,
  mail_outbox: 'mails hold links that let somebody sign in, and are deleted by themselves',
  drafts: 'what somebody has begun to type is theirs alone until it is sent',
  jobs: 'it is work of this installation, which the rows of other tables ask for',
  import_progress: SHORT_LIVED,
  import_pieces: 'they are of a file that waits to be imported',
  changes: SHORT_LIVED,
  removed_flights: 'it is about flights that are gone, for those who follow this installation',
  webhooks: 'they hold a secret that signs, and send to programs of this installation',
  webhook_deliveries: SHORT_LIVED,
  backups: 'of the installation: where its backups are',
  removed_schools: 'it is about schools that are gone',
};

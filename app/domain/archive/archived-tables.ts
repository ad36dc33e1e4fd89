import type { Database } from '#db/tables.ts';

type TableName = keyof Database;

interface ArchivedTable {
  about: string;
  /** Columns that stay behind, with why where a reader of the file is told. */
  without?: Readonly<Record<string, string | null>>;
  /** The column that holds the school's id, if it is not `school_id`; null if none does. */
  owner?: string | null;
  where?: string;
  /** Column that its rows are in order of, if it is not `id`. */
  order?: string;
}

/** Tables that go out, in the order in which they can come in again: no row refers to a later table. */
const ARCHIVED_TABLES = {
  schools: {
    about: 'the school and its settings',
    owner: 'id',
    without: {
      removal_due_at: 'it is about the removal of the school from where it was',
      ...{ record_checked_at: null, record_flights: null, record_differences: null },
    },
  },
  users: {
    about: 'people, former ones too, without passwords',
    without: {
      password_hash: 'passwords can be guessed from it',
      password_generation: 'it counts passwords',
      ...{ change_id: null, record_salt: null },
    },
  },
  aircraft: { about: 'the fleet, with the last readings', without: { change_id: null } },
  photos: {
    about: 'which photo is whose; the pictures are in photos/',
    without: { content: 'the pictures are in photos/' },
  },
  flight_logs: { about: 'flights, open and cancelled ones too', without: { change_id: null } },
  fuel_records: { about: 'fuel and oil of flights' },
  flight_log_revisions: { about: 'corrections of flights: what was there before, who changed it and why' },
  meter_segments: { about: 'the meters of each aircraft, from one replacement to the next' },
  squawks: { about: 'squawks as they stand', without: { change_id: null } },
  squawk_events: { about: 'what became of each squawk, step by step' },
  squawk_photos: { about: 'which photos belong to which squawk', order: 'squawk_id, photo_id' },
  inspections: { about: 'inspections, and when each is due' },
  inspection_completions: { about: 'when each inspection was done, and by whom' },
  scans: { about: 'what was read from photos of meters' },
  invitations: {
    about: 'invitations, without the links in their mails',
    without: {
      token_hash: 'it is of a link that lets somebody register',
      mail_id: 'it is of a mail, and mails are left out',
      link_made_by: 'it is about a link that is left out',
      record_salt: null,
    },
  },
  imports: {
    about: 'files that were imported, without what was in them',
    where: "state <> 'uploaded'",
    without: {
      content: 'a file is kept only until it is imported',
      ...{ archive: null, requested: null, requested_by: null, requested_at: null },
    },
  },
  import_rows: { about: 'which row of which file each record came from' },
  audit_entries: { about: 'events: who did what, and when' },
  audit_emails: {
    about: 'email addresses in events, with what their digest is made from',
    owner: null,
    where: 'entry_id in (select id from audit_entries where school_id = $school)',
    order: 'entry_id',
  },
  audit_seals: {
    about: 'the chain of hashes that shows whether an event was changed',
    owner: 'chain',
    order: 'position',
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

const COLUMNS_WITH_IDS: Partial<Record<ArchivedTableName, readonly string[]>> = {
  users: [
    ...['user_id', 'former_user_id', 'instructor_id', 'completed_by', 'entered_by', 'voided_by'],
    ...['last_hobbs_by', 'last_tach_by', 'declared_by', 'invited_by', 'accepted_by'],
  ],
  aircraft: ['aircraft_id'],
  photos: [
    ...['photo_id', 'crop_id', 'receipt_photo_id'],
    ...['start_hobbs_photo_id', 'start_tach_photo_id', 'end_hobbs_photo_id', 'end_tach_photo_id'],
  ],
  flight_logs: ['flight_log_id'],
  squawks: ['squawk_id'],
  inspections: ['inspection_id'],
  imports: ['import_id'],
  audit_entries: ['entry_id'],
};

/** Table whose ids a column holds: its name means the same in every table. */
export const TABLES_OF_ID_COLUMNS: ReadonlyMap<string, ArchivedTableName> = new Map(
  ARCHIVED_TABLE_NAMES.flatMap((table) => (COLUMNS_WITH_IDS[table] ?? []).map((column) => [column, table] as const)),
);

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

export const TABLES_OF_ID_LIST_COLUMNS: ReadonlyMap<string, ArchivedTableName> = new Map([
  ['unsafe_at_start', 'squawks'],
  ['deferrals_over_at_start', 'squawks'],
  ['overdue_at_start', 'inspections'],
]);

const SIGN_IN = 'it lets somebody sign in';
const SHORT_LIVED = 'it is deleted by itself soon, and says nothing that other files do not';

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

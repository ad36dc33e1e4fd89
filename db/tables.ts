import type { ColumnType, Generated, Insertable, JSONColumnType, Selectable } from 'kysely';
import type { Role } from './roles.ts';

/** Every table, column by column. Ids are integers, readings decimal strings, instants timestamptz. */
export interface Database {
  schools: SchoolsTable;
  users: UsersTable;
  sessions: SessionsTable;
  login_attempts: LoginAttemptsTable;
  aircraft: AircraftTable;
  photos: PhotosTable;
  flight_logs: FlightLogsTable;
  fuel_records: FuelRecordsTable;
  flight_log_revisions: FlightLogRevisionsTable;
  scans: ScansTable;
  mail_outbox: MailOutboxTable;
  invitations: InvitationsTable;
  password_links: PasswordLinksTable;
  given_answers: GivenAnswersTable;
  audit_entries: AuditEntriesTable;
  drafts: DraftsTable;
}

export type MeterType = 'hobbs' | 'tachometer';

type Id = Generated<number>;
/** Set by the database, never updated. */
type Written = ColumnType<Date, Date | undefined, never>;
/** Null until it happens. */
type Happens = ColumnType<Date | null, Date | null | undefined, Date | null>;

interface SchoolsTable {
  id: Id;
  name: string;
  address: Generated<string>;
  phone: Generated<string>;
  /** IANA name; every page of the school shows its times in it (C41). */
  time_zone: Generated<string>;
  created_at: Written;
}

interface UsersTable {
  id: Id;
  /** Null: an administrator who has yet to name the school (C25). */
  school_id: number | null;
  username: string;
  /** The username trimmed and case-folded: what must be unique (C16). */
  username_key: string;
  email: string;
  /** Null: wiped when the user was deleted (C13). */
  password_hash: string | null;
  role: Role;
  created_at: Written;
  /** Null: a live user. */
  deleted_at: Happens;
}

interface SessionsTable {
  /** Keyed hash of the cookie's token; the token itself is never stored. */
  id: string;
  user_id: number;
  shared_computer: Generated<boolean>;
  created_at: Written;
  renewed_at: ColumnType<Date, Date | undefined, Date>;
  expires_at: Date;
  /** The absolute end, however often the session is renewed (C26). */
  ends_at: Date;
  /** Null: not signed out. */
  revoked_at: Happens;
}

interface LoginAttemptsTable {
  /** Username and network. */
  key: string;
  failures: number;
  expires_at: Date;
}

interface AircraftTable {
  id: Id;
  school_id: number;
  tail_number: string;
  make: string;
  model: string;
  year: number;
  /** Null: no reading yet. */
  last_hobbs: string | null;
  /** Null: no reading yet. */
  last_hobbs_at: Happens;
  /** Null: no reading yet. */
  last_hobbs_by: number | null;
  /** Null: no reading yet. */
  last_tach: string | null;
  /** Null: no reading yet. */
  last_tach_at: Happens;
  /** Null: no reading yet. */
  last_tach_by: number | null;
  /** Null: serviceable. Set during a flight it means 'grounded on return' (C05). */
  maintenance_since: Happens;
  created_at: Written;
  /** Null: in the fleet. Set: removed, kept for its logs (C12). */
  deleted_at: Happens;
}

interface PhotosTable {
  id: Id;
  school_id: number;
  user_id: number;
  /** JPEG without EXIF (C49). */
  content: Buffer;
  width: number;
  height: number;
  created_at: Written;
}

export interface ReadingFlag {
  meter: MeterType;
  kind: 'below' | 'gap';
  /** The aircraft's last reading that the start was held against. */
  last: string;
}

interface FlightLogsTable {
  id: Id;
  school_id: number;
  aircraft_id: number;
  /** The pilot. */
  user_id: number;
  /** Null: flown without an instructor. */
  instructor_id: number | null;
  start_hobbs: string;
  start_tach: string;
  /** Null: in flight. */
  end_hobbs: string | null;
  /** Null: in flight. */
  end_tach: string | null;
  reading_flags: JSONColumnType<ReadingFlag[], string | undefined, string>;
  /** 'HH:MM' in the school's zone. Null: not given. */
  instructor_time_in: string | null;
  /** 'HH:MM' in the school's zone; earlier than time in means past midnight (C43). Null: not given. */
  instructor_time_out: string | null;
  /** One of the thirteen choices, in hours (C52). */
  ground_school_time: Generated<string>;
  /** The squawks. */
  notes: Generated<string>;
  /** Null: typed, not photographed. */
  start_hobbs_photo_id: number | null;
  /** Null: typed, not photographed. */
  start_tach_photo_id: number | null;
  /** Null: typed, not photographed. */
  end_hobbs_photo_id: number | null;
  /** Null: typed, not photographed. */
  end_tach_photo_id: number | null;
  created_at: Written;
  /** Null: in progress, or voided. */
  completed_at: Happens;
  /** Null: in progress, or voided. Another than the pilot: closed on behalf (C08). */
  completed_by: number | null;
  /** Null: completed by the pilot. */
  close_reason: string | null;
  /** Null: a flight. Set: a check-out that never flew (C09). */
  voided_at: Happens;
  /** Null: a flight. */
  voided_by: number | null;
  /** Null: a flight. */
  void_reason: string | null;
}

interface FuelRecordsTable {
  id: Id;
  school_id: number;
  flight_log_id: number;
  refueled: Generated<boolean>;
  /** Null: no receipt photographed. */
  receipt_photo_id: number | null;
  oil_added: Generated<boolean>;
  /** Quarts, one decimal. Null: not said. */
  oil_quantity: string | null;
  notes: Generated<string>;
}

interface FlightLogRevisionsTable {
  id: Id;
  school_id: number;
  flight_log_id: number;
  user_id: number;
  field: 'start_hobbs' | 'start_tach' | 'end_hobbs' | 'end_tach';
  /** Null: there was none. */
  old_value: string | null;
  new_value: string;
  reason: string;
  created_at: Written;
}

interface ScansTable {
  id: Id;
  school_id: number;
  aircraft_id: number;
  user_id: number;
  photo_id: number;
  meter_type: MeterType;
  detected_text: string;
  /** 0 to 1. */
  confidence: string;
  /** The photo of the counter alone, as it was read. */
  crop_id: number | null;
  /** How many digits were read, leading zeros and tenths included. */
  digits: number | null;
  /** What the photo alone shows, where the last reading made another one likelier. */
  other_text: string | null;
  created_at: Written;
}

interface MailOutboxTable {
  id: Id;
  /** Null: mail to somebody without a school. */
  school_id: number | null;
  to_name: string;
  to_address: string;
  subject: string;
  /** Emptied once sent: bodies hold tokens. */
  body_text: string;
  body_html: string;
  created_at: Written;
  attempts: Generated<number>;
  /** While a worker has the mail in hand, when another may take it over. */
  next_attempt_at: Generated<Date>;
  /** The time past which nobody needs it any more. */
  send_until: Generated<Date>;
  /** Null: not yet accepted by the mail server. */
  sent_at: Happens;
  /** Null: no attempt has failed. */
  last_error: string | null;
}

interface InvitationsTable {
  id: Id;
  school_id: number;
  name: string;
  email: string;
  role: Role;
  token_hash: string;
  invited_by: number;
  /** Null: its mail has been cleared away. */
  mail_id: number | null;
  created_at: Written;
  expires_at: Date;
  /** Null: pending. */
  accepted_at: Happens;
  /** Null: pending. */
  accepted_by: number | null;
}

interface PasswordLinksTable {
  school_id: number;
  user_id: number;
  token_hash: string;
  /** Null: its mail has been cleared away. */
  mail_id: number | null;
  created_at: ColumnType<Date, Date | undefined, Date>;
  expires_at: Date;
  /** Null: not used yet. */
  used_at: Happens;
}

interface GivenAnswersTable {
  /** Who asked, as 'user:7'. */
  scope: string;
  key: string;
  operation: string;
  body_hash: string;
  /** Null only inside the transaction that is still working on it. */
  answer: JSONColumnType<object, string | null, string> | null;
  created_at: Written;
}

interface AuditEntriesTable {
  id: Id;
  /** Null: outside any school. */
  school_id: number | null;
  /** Null: done from the command line. */
  user_id: number | null;
  created_at: Written;
  action: string;
  subject: string;
  /** Null: the subject is the school itself. */
  subject_id: number | null;
  /** Null: there was nothing before. */
  before: JSONColumnType<object, string | null | undefined, never> | null;
  /** Null: nothing is left. */
  after: JSONColumnType<object, string | null | undefined, never> | null;
  /** Null: none is asked for. */
  reason: string | null;
}

interface DraftsTable {
  user_id: number;
  /** Which form, as 'check-out' or 'check-in:41'. */
  form: string;
  body: JSONColumnType<Record<string, string>, string, string>;
  updated_at: ColumnType<Date, Date | undefined, Date>;
}

export type Row<Table extends keyof Database> = Selectable<Database[Table]>;
export type NewRow<Table extends keyof Database> = Insertable<Database[Table]>;

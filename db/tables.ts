import type { ColumnType, Generated, Insertable, JSONColumnType, Selectable } from 'kysely';
import type { Role } from './roles.ts';

/** Every table, column by column. Readings are decimal strings. */
export interface Database {
  schools: SchoolsTable;
  users: UsersTable;
  sessions: SessionsTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
  passkeys: PasskeysTable;
  access_tokens: AccessTokensTable;
  calendar_links: CalendarLinksTable;
  used_passkey_challenges: UsedPasskeyChallengesTable;
  login_attempts: LoginAttemptsTable;
  aircraft: AircraftTable;
  photos: PhotosTable;
  flight_logs: FlightLogsTable;
  fuel_records: FuelRecordsTable;
  flight_log_revisions: FlightLogRevisionsTable;
  meter_segments: MeterSegmentsTable;
  squawks: SquawksTable;
  squawk_events: SquawkEventsTable;
  squawk_photos: SquawkPhotosTable;
  inspections: InspectionsTable;
  inspection_completions: InspectionCompletionsTable;
  scans: ScansTable;
  mail_outbox: MailOutboxTable;
  invitations: InvitationsTable;
  password_links: PasswordLinksTable;
  password_link_requests: PasswordLinkRequestsTable;
  idempotency_keys: IdempotencyKeysTable;
  audit_entries: AuditEntriesTable;
  audit_emails: AuditEmailsTable;
  audit_seals: AuditSealsTable;
  drafts: DraftsTable;
  changes: ChangesTable;
  jobs: JobsTable;
  backups: BackupsTable;
  imports: ImportsTable;
  import_progress: ImportProgressTable;
  import_pieces: ImportPiecesTable;
  import_rows: ImportRowsTable;
  webhooks: WebhooksTable;
  webhook_deliveries: WebhookDeliveriesTable;
  removed_schools: RemovedSchoolsTable;
  removed_flights: RemovedFlightsTable;
}

export type MeterType = 'hobbs' | 'tachometer';

type Id = Generated<number>;
type CreatedAt = ColumnType<Date, Date | undefined, never>;
/** Number of the transaction that changed the row last, set by a trigger; 0 if none has since changes are counted. */
type ChangeId = ColumnType<string, never, never>;
type UpdatableTimestamp = ColumnType<Date, Date | undefined, Date>;
type NullableTimestamp = ColumnType<Date | null, Date | null | undefined, Date | null>;

interface SchoolsTable {
  id: Id;
  name: string;
  address: Generated<string>;
  phone: Generated<string>;
  time_zone: Generated<string>;
  activity_kept_days: Generated<number>;
  administrators_need_second_factor: Generated<boolean>;
  /** Hours after which a pilot is reminded of an open flight; null for never. */
  reminder_after_hours: ColumnType<number | null, number | null | undefined, number | null>;
  /** True if it agreed to give its confirmed counters to whoever trains a reader. */
  gives_meter_photos: Generated<boolean>;
  /** Set while its administrators may still call its removal off. */
  removal_due_at: NullableTimestamp;
  created_at: CreatedAt;
  /** When the rows were last held against the activity, and what that came to. */
  record_checked_at: NullableTimestamp;
  record_flights: Generated<number>;
  record_differences: Generated<number>;
}

interface UsersTable {
  id: Id;
  /** Null for an administrator who has yet to create the school. */
  school_id: number | null;
  username: string;
  /** The username trimmed and case-folded, unique in the installation. */
  username_key: string;
  name: ColumnType<string | null, string | null | undefined, string | null>;
  email: string;
  password_hash: string | null;
  /** Counts new passwords, but not new hashes of the same one. */
  password_generation: Generated<number>;
  /** Goes with the address into the digest that the activity has of it; a new address gets another. */
  record_salt: Generated<string>;
  role: Role;
  /** False if '/' and '?' do nothing by themselves. */
  single_keys: Generated<boolean>;
  created_at: CreatedAt;
  deleted_at: NullableTimestamp;
  change_id: ChangeId;
}

interface SessionsTable {
  id: string;
  /** Keyed hash of the token before, kept since the user entered the password again. */
  former_id: ColumnType<string | null, string | null | undefined, string | null>;
  /** Names the session to its user, who must not learn the hash. */
  number: Id;
  user_id: number;
  shared_computer: Generated<boolean>;
  /** Browser and system at sign-in, as 'Firefox on Windows'. */
  device: Generated<string>;
  address: Generated<string>;
  created_at: CreatedAt;
  renewed_at: UpdatableTimestamp;
  seen_at: UpdatableTimestamp;
  proved_at: UpdatableTimestamp;
  expires_at: Date;
  ends_at: Date;
  revoked_at: NullableTimestamp;
  /** The key that a set-up under way shows, in base 32. */
  second_factor_setup: ColumnType<string | null, string | null | undefined, string | null>;
  /** The passkey that the session was started with, or that was added in it. */
  passkey_id: ColumnType<number | null, number | null | undefined, number | null>;
}

interface SecondFactorsTable {
  user_id: number;
  secret: string;
  /** Time step of the last code that was used: no code is good twice. */
  last_step: number;
  created_at: CreatedAt;
}

interface RecoveryCodesTable {
  user_id: number;
  code_hash: string;
  used_at: NullableTimestamp;
}

interface AccessTokensTable {
  id: Id;
  user_id: number;
  name: string;
  scope: 'read' | 'fly' | 'manage';
  token_hash: string;
  request_id: string | null;
  created_at: CreatedAt;
  expires_at: Date;
  last_used_at: NullableTimestamp;
}

interface CalendarLinksTable {
  school_id: number;
  user_id: number;
  aircraft_id: number;
  link_hash: string;
  made_at: ColumnType<Date, never, Date>;
}

interface PasskeysTable {
  id: Id;
  user_id: number;
  name: string;
  credential_id: string;
  public_key: Buffer;
  /** Number of signatures, if the authenticator counts them; a copy of it would fall behind. */
  counter: ColumnType<string, number, number>;
  transports: Generated<string[]>;
  /** True if the authenticator's maker keeps the passkey for the user's other devices. */
  backed_up: boolean;
  created_at: CreatedAt;
  last_used_at: NullableTimestamp;
}

/** Challenges that were used: none is good twice, in any process. */
interface UsedPasskeyChallengesTable {
  challenge: string;
  expires_at: Date;
}

interface LoginAttemptsTable {
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
  last_hobbs: string | null;
  last_hobbs_at: NullableTimestamp;
  last_hobbs_by: number | null;
  last_tach: string | null;
  last_tach_at: NullableTimestamp;
  last_tach_by: number | null;
  /** Set also during a flight, for the return. */
  maintenance_since: NullableTimestamp;
  created_at: CreatedAt;
  deleted_at: NullableTimestamp;
  change_id: ChangeId;
}

interface PhotosTable {
  id: Id;
  school_id: number;
  user_id: number;
  content: Buffer;
  width: number;
  height: number;
  created_at: CreatedAt;
}

export const READING_FLAG_KINDS = ['below', 'gap', 'photo', 'other meter', 'slip', 'long', 'time', 'ratio'] as const;

export interface ReadingFlag {
  meter: MeterType;
  at: 'start' | 'end';
  kind: (typeof READING_FLAG_KINDS)[number];
  reading: string;
  /** The number that the reading does not fit: the last reading, the start, the photo's, or the one that would fit. */
  last: string;
}

export const METER_CHANGE_REASONS = ['replaced', 'rolled over'] as const;

export type MeterChangeReason = (typeof METER_CHANGE_REASONS)[number];

/** The life of one meter, from its first reading to the next segment's start. */
interface MeterSegmentsTable {
  id: Id;
  school_id: number;
  aircraft_id: number;
  meter_type: MeterType;
  reason: 'new aircraft' | MeterChangeReason;
  old_last: string | null;
  /** Null for an aircraft that has yet to fly. */
  first_reading: string | null;
  started_at: ColumnType<Date, Date | undefined, never>;
  remark: Generated<string>;
  declared_by: number | null;
  /** Set when the change was in a flight, whose check-in declared it. */
  flight_log_id: number | null;
}

/** An unsafe squawk that was not fixed when the flight started. */
export interface UnsafeSquawk {
  id: number;
  text: string;
}

/** An inspection or a deferred squawk when the flight started, as 'Overdue by 1.2 h' or 'Deferral over by 2 days'. */
export interface OverdueItem {
  id: number;
  name: string;
  text: string;
}

interface FlightLogsTable {
  id: Id;
  school_id: number;
  aircraft_id: number;
  /** The pilot. */
  user_id: number;
  instructor_id: number | null;
  start_hobbs: string;
  start_tach: string;
  end_hobbs: string | null;
  end_tach: string | null;
  /** The old meter's last and the new one's first reading, if the meter was changed in flight. */
  hobbs_old_last: string | null;
  hobbs_new_first: string | null;
  tach_old_last: string | null;
  tach_new_first: string | null;
  /** Hours with two decimals, counted across a changed meter too. */
  hobbs_hours: ColumnType<string | null, never, never>;
  tach_hours: ColumnType<string | null, never, never>;
  reading_flags: JSONColumnType<ReadingFlag[], string | undefined, string>;
  unsafe_at_start: JSONColumnType<UnsafeSquawk[], string | undefined, string>;
  overdue_at_start: JSONColumnType<OverdueItem[], string | undefined, string>;
  deferrals_over_at_start: JSONColumnType<OverdueItem[], string | undefined, string>;
  /** 'HH:MM' in the school's zone; a time out earlier than the time in is past midnight. */
  instructor_time_in: string | null;
  instructor_time_out: string | null;
  /** Hours between the two, two decimals; null if a time is missing or implausible. */
  instructor_hours: ColumnType<string | null, never, never>;
  ground_school_time: Generated<string>;
  notes: Generated<string>;
  start_hobbs_photo_id: number | null;
  start_tach_photo_id: number | null;
  end_hobbs_photo_id: number | null;
  end_tach_photo_id: number | null;
  created_at: CreatedAt;
  completed_at: NullableTimestamp;
  /** Null if it is the time of the check-out. */
  departed_at: NullableTimestamp;
  /** Null if it is the time of the check-in. */
  landed_at: NullableTimestamp;
  reminded_at: NullableTimestamp;
  completed_by: number | null;
  /** Set when another user than the pilot completed the flight. */
  close_reason: string | null;
  /** Set for a check-out that never flew. */
  voided_at: NullableTimestamp;
  voided_by: number | null;
  void_reason: string | null;
  /** Set for a flight that was entered after it had ended. */
  entered_by: number | null;
  entered_at: NullableTimestamp;
  entry_reason: string | null;
  change_id: ChangeId;
}

interface FuelRecordsTable {
  id: Id;
  school_id: number;
  flight_log_id: number;
  refueled: Generated<boolean>;
  receipt_photo_id: number | null;
  oil_added: Generated<boolean>;
  oil_quantity: string | null;
  notes: Generated<string>;
}

export type CorrectableColumn =
  | 'start_hobbs'
  | 'start_tach'
  | 'end_hobbs'
  | 'end_tach'
  | 'hobbs_old_last'
  | 'hobbs_new_first'
  | 'tach_old_last'
  | 'tach_new_first';

export type CorrectableTime = 'departed_at' | 'landed_at';

/**
 * The values that are kept in words: 'replaced: worn out', the instructor's name then, '10:15', fuel and oil of all
 * records.
 */
export type CorrectableText =
  | 'hobbs_change'
  | 'tach_change'
  | 'instructor'
  | 'instructor_time_in'
  | 'instructor_time_out'
  | 'ground_school_time'
  | 'fuel_and_oil'
  | 'notes';

interface FlightLogRevisionsTable {
  id: Id;
  school_id: number;
  flight_log_id: number;
  user_id: number;
  field: CorrectableColumn | CorrectableTime | CorrectableText;
  old_value: string | null;
  /** Null if a change of the meter was taken back. */
  new_value: string | null;
  /** The time before the correction, as below the one after; null is the time of the button. */
  old_time: NullableTimestamp;
  new_time: NullableTimestamp;
  /** A text that changed; null is none. */
  old_text: string | null;
  new_text: string | null;
  reason: string;
  created_at: CreatedAt;
}

export type SquawkState = 'open' | 'deferred' | 'fixed' | 'withdrawn';

/** Written as 'YYYY-MM-DD'; queries read it as text. */
type DateColumn = ColumnType<string | null, string | null | undefined, string | null>;

interface SquawksTable {
  id: Id;
  school_id: number;
  aircraft_id: number;
  /** The check-in that reported it; null where it was added between flights. */
  flight_log_id: number | null;
  user_id: number;
  text: string;
  /** The author's word; it never changes the aircraft's status. */
  unsafe: Generated<boolean>;
  state: Generated<SquawkState>;
  until_hobbs: string | null;
  until_tach: string | null;
  until_on: DateColumn;
  /** Administrators get one mail for each time it is deferred. */
  deferral_over_mailed_at: NullableTimestamp;
  created_at: CreatedAt;
  change_id: ChangeId;
}

/** The history of a squawk: rows are only added. */
interface SquawkEventsTable {
  id: Id;
  school_id: number;
  squawk_id: number;
  user_id: number;
  state: SquawkState;
  until_hobbs: string | null;
  until_tach: string | null;
  until_on: DateColumn;
  remark: Generated<string>;
  created_at: CreatedAt;
}

interface SquawkPhotosTable {
  school_id: number;
  squawk_id: number;
  photo_id: number;
}

interface InspectionsTable {
  id: Id;
  school_id: number;
  aircraft_id: number;
  name: string;
  due_hobbs: string | null;
  due_tach: string | null;
  due_on: DateColumn;
  interval_hours: string | null;
  interval_days: number | null;
  interval_months: number | null;
  /** Administrators get one mail for each time it is due. */
  overdue_mailed_at: NullableTimestamp;
  created_at: CreatedAt;
  changed_at: ColumnType<Date, never, Date>;
  removed_at: NullableTimestamp;
}

/** Rows are only added. */
interface InspectionCompletionsTable {
  id: Id;
  school_id: number;
  inspection_id: number;
  user_id: number;
  /** The reading of the inspection's meter; null where it is due on a date. */
  done_at: string | null;
  done_on: ColumnType<string, string, never>;
  remark: Generated<string>;
  created_at: CreatedAt;
}

export const OTHER_KINDS = ['same counter', 'other counter'] as const;

export type OtherKind = (typeof OTHER_KINDS)[number];

interface ScanFigure {
  figure: string;
  confidence: string;
  other: string | null;
}

interface ScansTable {
  id: Id;
  school_id: number;
  aircraft_id: number;
  user_id: number;
  photo_id: number;
  meter_type: MeterType;
  detected_text: string;
  confidence: string;
  crop_id: number | null;
  digits: number | null;
  /** Reading that the photo alone shows, if the last reading made another one likelier; else another counter in it. */
  other_text: string | null;
  /** Null also for scans of the previous release. */
  other_kind: OtherKind | null;
  figures: ColumnType<ScanFigure[], string | undefined, never>;
  /** True if the meter could not show the reading, by its last one. */
  is_impossible: Generated<boolean>;
  /** Reading that was saved as the aircraft's last one by this scan. */
  saved_reading: string | null;
  created_at: CreatedAt;
}

interface MailOutboxTable {
  id: Id;
  school_id: number | null;
  to_name: string;
  to_address: string;
  subject: string;
  /** Emptied once sent, because bodies contain tokens. */
  body_text: string;
  body_html: string;
  created_at: CreatedAt;
  attempts: Generated<number>;
  send_until: Generated<Date>;
  sent_at: NullableTimestamp;
  /** Moment when the mail server refused it for good; it is not tried again. */
  refused_at: NullableTimestamp;
  /** True if no mail server took it. */
  written_to_file: Generated<boolean>;
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
  /** The user who sent it last, which makes a new link; null is the user who invited. */
  link_made_by: ColumnType<number | null, number | null | undefined, number | null>;
  /** As that of users. */
  record_salt: Generated<string>;
  mail_id: number | null;
  created_at: CreatedAt;
  expires_at: Date;
  /** Set also when a user got the address in another way. */
  accepted_at: NullableTimestamp;
  accepted_by: number | null;
  /** The deleted user who comes back with it. */
  former_user_id: ColumnType<number | null, number | null | undefined, number | null>;
}

interface PasswordLinksTable {
  school_id: number;
  user_id: number;
  token_hash: string;
  mail_id: number | null;
  /** Null if the user asked for it, or the operator made it. */
  made_by: ColumnType<number | null, number | null | undefined, number | null>;
  created_at: UpdatableTimestamp;
  expires_at: Date;
  used_at: NullableTimestamp;
}

interface PasswordLinkRequestsTable {
  id: Id;
  username_key: string;
  created_at: CreatedAt;
}

interface IdempotencyKeysTable {
  /** The sender of the request, as 'user:7'. */
  scope: string;
  key: string;
  operation: string;
  request_hash: string;
  /** Null only inside the transaction that handles the request. */
  response: JSONColumnType<object, string | null, string> | null;
  created_at: CreatedAt;
}

interface AuditEntriesTable {
  id: Id;
  school_id: number | null;
  user_id: number | null;
  created_at: CreatedAt;
  action: string;
  subject: string;
  subject_id: number | null;
  before: JSONColumnType<object, string | null | undefined, never> | null;
  after: JSONColumnType<object, string | null | undefined, never> | null;
  reason: string | null;
  outcome: Generated<'done' | 'refused'>;
  /** More than one if the same event came so often within a minute. */
  times: Generated<number>;
  address: string | null;
  request_id: string | null;
  /** Hash of the salt and the email in audit_emails, which can be removed. */
  email_digest: string | null;
}

interface AuditEmailsTable {
  entry_id: number;
  email: string;
  salt: string;
}

/** Each hash contains the one before, so that a changed or missing entry shows. */
interface AuditSealsTable {
  /** The school, or 0 for events without one. */
  chain: number;
  position: number;
  entry_id: number;
  previous_hash: string;
  hash: string;
}

export interface DraftsTable {
  user_id: number;
  /** The path of its page, '#' and its id. */
  form: string;
  body: JSONColumnType<Record<string, string>, string, string>;
  updated_at: UpdatableTimestamp;
  /** The session that saved it; null if nobody's did. */
  saved_by: Generated<string | null>;
  /** Moment by the clock of the device; null if the device does not say. */
  typed_at: Generated<Date | null>;
  /** Its form was posted and could not be done yet; null while the form is being typed. */
  waits_for: Generated<'sign-in' | 'password' | null>;
  /** The path and search that it was posted to; null as `waits_for` is. */
  posted_to: Generated<string | null>;
}

type ImportState = 'uploaded' | 'applied' | 'undone';

/** A file that a school moves in with. */
interface ImportsTable {
  id: Id;
  school_id: number;
  /** Null if it was uploaded on the server. */
  user_id: number | null;
  kind: 'fleet' | 'people' | 'flights' | 'squawks' | 'inspections' | 'all';
  file_name: string;
  file_hash: string;
  /** Empty for an export of a whole school, which is in pieces. */
  content: Buffer | null;
  /** What an export of a whole school holds, and what its administrator has said of it; null once it is imported. */
  archive: JSONColumnType<object, string | null | undefined, string | null> | null;
  answers: JSONColumnType<object, string | undefined, string>;
  /** The preview of the release before has no place for it. */
  outcome: JSONColumnType<object, string | undefined, string>;
  options: JSONColumnType<object, string | undefined, string>;
  preview: JSONColumnType<object, string, string>;
  state: ColumnType<ImportState, undefined, ImportState>;
  requested: 'apply' | 'undo' | null;
  /** Null if it was asked for on the server. */
  requested_by: number | null;
  requested_at: NullableTimestamp;
  /** Why the work that was asked for last was not done. */
  failure: string | null;
  created_at: CreatedAt;
  applied_at: NullableTimestamp;
  undone_at: NullableTimestamp;
}

/** Work that waits or comes again and again; a trigger makes and deletes those of mails, deliveries, imports and requests. */
interface JobsTable {
  id: Id;
  kind: string;
  /** The id of the mail, delivery, import or request; 0 for work that comes again and again. */
  subject_id: Generated<number>;
  school_id: ColumnType<number | null, number | null | undefined, never>;
  /** The webhook of a delivery; a process has few of each under way. */
  lane: Generated<number>;
  /** Since it was asked for, or was done last. */
  attempts: Generated<number>;
  due_at: Generated<Date>;
  /** When it is tried next; while a process does it, when another one may. */
  run_at: Generated<Date>;
  given_up_at: NullableTimestamp;
}

/** A backup that was made; its row stays when its file goes. */
interface BackupsTable {
  id: Id;
  made_at: ColumnType<Date, Date, never>;
  folder: string;
  file: string;
  bytes: ColumnType<string, number, never>;
  verified_at: NullableTimestamp;
  /** Why there is no copy in the second place; null if there is one, or none is wanted. */
  copy_failure: string | null;
}

interface ImportProgressTable {
  school_id: number;
  import_id: number;
  done: Generated<number>;
  total: Generated<number>;
}

interface ImportPiecesTable {
  school_id: number;
  import_id: number;
  place: number;
  content: Buffer;
}

/** A record that an import added, or changed where `before` says what it was. */
interface ImportRowsTable {
  id: Id;
  school_id: number;
  import_id: number;
  /** Row in the file; null for a record that followed from its rows. */
  row_number: number | null;
  /** The record's id in the program it came from. */
  source_id: string | null;
  aircraft_id: number | null;
  user_id: number | null;
  flight_log_id: number | null;
  squawk_id: number | null;
  inspection_id: number | null;
  before: JSONColumnType<object, string | null | undefined, never> | null;
  after: JSONColumnType<object, string | null | undefined, never> | null;
}

interface WebhooksTable {
  id: Id;
  school_id: number;
  url: string;
  events: string[];
  /** Encrypted key that signs what is sent. */
  secret: string;
  previous_secret: ColumnType<string | null, string | null | undefined, string | null>;
  previous_until: NullableTimestamp;
  paused_at: NullableTimestamp;
  /** Moment when an event was given up, until one is delivered. */
  failing_since: NullableTimestamp;
  removed_at: NullableTimestamp;
  created_at: CreatedAt;
}

interface WebhookDeliveriesTable {
  id: Id;
  school_id: number;
  webhook_id: number;
  message_id: Generated<string>;
  event: string;
  aircraft_id: number | null;
  /** The event's JSON, as the API showed it then. */
  data: string;
  state: Generated<'waiting' | 'delivered' | 'given up'>;
  attempts: Generated<number>;
  last_attempt_at: NullableTimestamp;
  duration_ms: ColumnType<number | null, number | null | undefined, number | null>;
  status: ColumnType<number | null, number | null | undefined, number | null>;
  answer: ColumnType<string | null, string | null | undefined, string | null>;
  error: ColumnType<string | null, string | null | undefined, string | null>;
  created_at: CreatedAt;
}

/** Schools whose removal has begun; nobody of them signs in after that. */
interface RemovedSchoolsTable {
  school_id: number;
  begun_at: CreatedAt;
  ended_at: NullableTimestamp;
}

/** Flights that were deleted; a trigger writes them. */
interface RemovedFlightsTable {
  school_id: number;
  id: number;
  created_at: Date;
  change_id: ChangeId;
}

export type Row<Table extends keyof Database> = Selectable<Database[Table]>;
export type NewRow<Table extends keyof Database> = Insertable<Database[Table]>;

/** A transaction that changed what lists show; rows are written by triggers. */
interface ChangesTable {
  id: ColumnType<string, never, never>;
  school_id: ColumnType<number | null, never, never>;
  /** Moment of the transaction's COMMIT; null within it. */
  ended_at: ColumnType<Date | null, never, never>;
}

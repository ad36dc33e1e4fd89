// Limits and durations, each with its unit in its name. The limits of waits are in db/deadlines.ts.

const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_S = 60;
const DAY_S = DAY_MS / SECOND_MS;

// Text fields
export const MIN_PASSWORD_CHARACTERS = 6;
/** Shorter names, and their words, may be anywhere in a password. */
export const MIN_FORBIDDEN_NAME_CHARACTERS = 3;
export const MIN_PASSWORD_LETTERS_BESIDE_NAMES = 3;
/** A password is refused that an estimate finds in so many guesses, which is as many as a list of the commonest has. */
export const GUESSES_OF_A_COMMON_PASSWORD = 50_000;
/** The estimate looks at so many characters, since its cost grows with the square of them. */
export const JUDGED_PASSWORD_CHARACTERS = 24;
export const MAX_PASSWORD_CHARACTERS = 1024;
export const MAX_NAME_CHARACTERS = 100;
export const MAX_SIGN_IN_USERNAME_CHARACTERS = 1024;
export const MAX_EMAIL_CHARACTERS = 254;
/** A letter may be written as a base and its marks. */
export const MAX_UNNORMALIZED_EMAIL_CHARACTERS = 1024;
export const MAX_TAIL_NUMBER_CHARACTERS = 50;
export const MAX_MAKE_CHARACTERS = 200;
export const MAX_MODEL_CHARACTERS = 200;
export const MAX_NEW_SCHOOL_NAME_CHARACTERS = 200;
export const MAX_SCHOOL_FIELD_CHARACTERS = 500;
export const MAX_NOTES_CHARACTERS = 20_000;
export const MAX_REASON_CHARACTERS = 500;
export const MAX_READING_CHARACTERS = 20;
export const MAX_REMARK_CHARACTERS = 2000;
export const MAX_INSPECTION_NAME_CHARACTERS = 100;

// Numbers
export const MAX_ID = 2_147_483_647;
export const MIN_AIRCRAFT_YEAR = 1900;
export const MAX_YEAR = 2100;
export const MAX_OIL_QUARTS = 99_999;
export const MAX_FUEL_RECORDS = 20;
export const MAX_GROUND_SCHOOL_HOURS = 3;
export const GROUND_SCHOOL_STEP_HOURS = 0.25;

// Flights
export const MS_PER_HOUR = 60 * MINUTE_MS;
export const MS_PER_DAY = 24 * MS_PER_HOUR;
export const MAX_OVERNIGHT_INSTRUCTION_HOURS = 16;
/** Time beyond flight and ground school: briefing, the walk around the aircraft and debriefing. */
export const MAX_UNFLAGGED_INSTRUCTION_HUNDREDTHS = 150;
export const PILOT_CORRECTION_HOURS = 48;
export const INSTRUCTOR_CLOSE_AFTER_HOURS = 12;
/** Age of a flight after which it stands first on the dashboard. */
export const LONG_OPEN_HOURS = 4;
/** Hours that a check-in may come later than the meter explains before it asks when the flight ended. */
export const LATE_CHECK_IN_HOURS = 1;
/** Limit for a time that somebody states, against the server's; the database has the same limits. */
export const MAX_CLOCK_SKEW_MINUTES = 5;
export const MAX_DEPARTURE_BEFORE_CHECK_OUT_HOURS = 168;
export const EARLIEST_FLIGHT_YEAR = 1950;
export const DEFAULT_REMINDER_AFTER_HOURS = 6;
export const MAX_REMINDER_AFTER_HOURS = 168;
export const REMINDER_INTERVAL_S = 5 * MINUTE_S;
export const MAX_REMINDERS_AT_ONCE = 100;
export const MAX_UNFLAGGED_GAP_HUNDREDTHS = 10;
export const MAX_UNFLAGGED_FLIGHT_HOURS = 12;
export const MAX_UNFLAGGED_METER_EXCESS_HOURS = 3;
export const MAX_UNFLAGGED_PHOTO_DIFFERENCE_HUNDREDTHS = 30;
/** Number of flights that an aircraft's usual ratio of tach to Hobbs is learned from. */
export const RATIO_FLIGHTS = 20;
export const MIN_RATIO_FLIGHTS = 3;
export const MIN_RATIO_FLIGHT_HUNDREDTHS = 50;
/** Limits of the ratio while none is usual yet, for flights of an hour and more. */
export const MIN_TACH_PER_HOBBS = 0.4;
export const MAX_TACH_PER_HOBBS = 1.3;
export const RECENT_NOTES_FLIGHTS = 5;
export const PAGE_ROWS = 50;
/** Up to this many stand on one page; longer lists have shorter pages. */
export const MAX_UNPAGED_USERS = 25;
export const PAGE_USERS = 12;
export const MAX_SEARCH_CHARACTERS = 100;
export const RECENT_DAYS = 14;
export const MAX_HOURS_ROWS = 500;
/** Limit of flights; a longer export is CSV. */
export const MAX_SPREADSHEET_FLIGHTS = 100_000;
export const CURSOR_BATCH_ROWS = 200;
export const LISTED_FLIGHTS_BATCH_ROWS = 200;
export const MAX_API_LIST_ITEMS = 1000;

// Squawks and inspections
export const MAX_SQUAWK_PHOTOS = 3;
export const SQUAWK_WITHDRAWAL_HOURS = 48;
export const SETTLED_SQUAWKS_SHOWN = 10;
export const MAX_MAINTENANCE_SQUAWKS = 500;
export const DEFAULT_SQUAWKS_IN_RESPONSE = 200;
/** The limit is for an hour, and does not stop check-ins. */
export const MAX_SQUAWKS_OF_USER_HOURLY = 30;
export const MAX_SQUAWKS_OF_SCHOOL_HOURLY = 200;
export const MAX_SQUAWK_LABEL_CHARACTERS = 160;
export const MAX_INSPECTIONS_OF_AIRCRAFT = 50;
export const DUE_SOON_HOURS = 10;
export const DUE_SOON_DAYS = 30;
export const MAX_INSPECTION_INTERVAL = 99_999;
export const DUE_SHOWN_ON_CARD = 3;
export const MAX_OVERDUE_MAILED_AT_ONCE = 100;

// Files that are imported
export const MAX_IMPORT_BYTES = 32 * MIB;
export const MAX_INFLATED_IMPORT_BYTES = 256 * MIB;
export const MAX_IMPORT_ENTRIES = 1000;
/** Each takes some 120 bytes of memory, however short it is. */
export const MAX_IMPORT_SHARED_TEXTS = 2_000_000;
export const MAX_IMPORT_ROWS = 100_000;
/** With titles and headings, which are not counted against the limit. */
export const MAX_IMPORT_ROWS_WITH_HEADINGS = MAX_IMPORT_ROWS + 100;
export const MAX_IMPORT_COLUMNS = 200;
export const MAX_IMPORT_CELL_CHARACTERS = 20_000;
export const MAX_IMPORT_PARSED_CHARACTERS = 100;
export const MAX_IMPORT_LINES = 1_000_000;
export const MAX_IMPORT_ROW_CHARACTERS = 400_000;
/** A process of its own would take longer to start than a CSV of so much takes to be read. */
export const IMPORT_READ_HERE_BYTES = 256 * KIB;
/** Bytes that are read before others have their turn. */
export const IMPORT_CHUNK_BYTES = 8 * KIB;
export const IMPORT_SLICE_ROWS = 100;
export const IMPORT_SAMPLE_ROWS = 300;
export const MIN_IMPORTED_YEAR = 1950;

// Calendars
export const CALENDAR_DAYS = 365;
export const MAX_CALENDAR_FLIGHTS = 3000;
/** Time that an open flight is shown beyond now, in quarters of an hour: a calendar must not change each minute. */
export const OPEN_FLIGHT_SHOWN_AHEAD_MS = HOUR_MS;
export const CALENDAR_STEP_MS = 15 * MINUTE_MS;
export const CALENDAR_REFRESH_S = 3600;

// The line
export const MAX_FLIGHT_LINE_AIRCRAFT = 100;
export const FLIGHT_LINE_FLIGHTS_OF_AIRCRAFT = 48;
export const OVERDUE_FLIGHT_HOURS = 6;
export const TAPE_FIRST_HOUR = 6;
export const TAPE_LAST_HOUR = 21;
export const FLIGHT_LINE_RENEWAL_S = 60;

// The jump box
export const MAX_JUMP_QUERY_CHARACTERS = 60;
export const MAX_JUMP_PLACES = 8;
export const JUMP_DELAY_MS = 120;
export const JUMP_TIMEOUT_MS = 10 * SECOND_MS;

// The aircraft's page
export const READING_LINE_PAGE_FLIGHTS = 25;
export const QR_CODES_PER_SHEET = 24;
/** A larger difference between two flights is a jump, not hours that were not logged. */
export const READING_JUMP_HUNDREDTHS = 2400;
export const SUM_WEEKS = 8;
export const SUM_MONTHS = 12;

// Requests
export const MAX_REQUESTS_AT_ONCE = 16;
/** Half of the connections: a school whose operations all wait for a lock leaves the others theirs. */
export const MAX_OPERATIONS_OF_SCHOOL = 5;
/** Number of senders whose school is remembered, so that schools take turns. */
export const MAX_SENDERS_WITH_KNOWN_SCHOOL = 10_000;
export const MAX_PATH_BYTES = KIB;
export const MAX_PATH_SEGMENTS = 16;
export const MAX_QUERY_BYTES = 4 * KIB;
export const MAX_FORM_BYTES = 256 * KIB;
export const MAX_JSON_COMMAS = 50_000;
export const MAX_FORM_FIELDS = MAX_IMPORT_COLUMNS + 50;
/** Each file holds a file descriptor until its form is handled. */
export const MAX_FORM_FILES = 10;
export const MAX_DISCARDED_BYTES = 200 * MIB;
export const MAX_IDEMPOTENCY_KEY_CHARACTERS = 200;
export const IDEMPOTENCY_KEY_LIFE_HOURS = 48;
/** Time by which a device's clock may be ahead. */
export const MAX_DEVICE_CLOCK_AHEAD_MS = 5 * MINUTE_MS;
export const FLASH_LIFE_S = 120;
/** The time runs from each answer; RFC 9116 recommends less than a year. */
export const SECURITY_TXT_LIFE_MS = 180 * DAY_MS;
export const HSTS_LIFE_S = 730 * DAY_S;

// Drafts
export const DRAFT_LIFE_HOURS = 12;
export const MAX_DRAFT_KEY_CHARACTERS = 200;
export const MAX_DRAFT_VALUE_CHARACTERS = 20_000;
export const MAX_DRAFTS = 20;
export const MAX_DRAFT_BYTES = 5 * MIB;
export const AUTOSAVE_DELAY_MS = SECOND_MS;
/** Pause before a draft that did not reach the server is sent again, from a computer that keeps none itself. */
export const DRAFT_RETRY_MS = 5 * SECOND_MS;
/** Pauses after a page came back, in which a draft that was sent as the page went may come. */
export const LATE_DRAFT_CHECK_DELAYS_MS: readonly number[] = [
  100,
  200,
  500,
  1000,
  ...Array.from({ length: 14 }, () => 2000),
];
/** Drafts are on their way for less; one typed earlier than that is of a clock that was set back. */
export const MAX_DRAFT_TRANSIT_SECONDS = 60;
/** A browser sends at most 64 KiB, headers included, of a page that has gone. */
export const MAX_KEEPALIVE_BYTES = 60 * KIB;
export const MAX_DRAFT_COMMIT_MS = 5 * SECOND_MS;
export const DRAFT_TIMEOUT_MS = 30 * SECOND_MS;

// Forms on their way
/** The server takes less than this for any form. */
export const FORM_TIMEOUT_MS = MINUTE_MS;
export const UPLOAD_TIMEOUT_MS = 5 * MINUTE_MS;
export const SLOW_ANSWER_MS = 10 * SECOND_MS;
/** A photo from a phone's camera has some four megabytes, one that was shrunk 60 kilobytes. */
export const MAX_UNSHRUNK_PHOTO_BYTES = 200 * KIB;

// No network
/** Pause before a script that did not come after the page is loaded again. */
export const ISLAND_RETRY_MS = 5 * SECOND_MS;
export const KEPT_PAGES_LIFE_MS = DAY_MS;
/** Younger ones are not fetched again, unless a flight has begun or ended. */
export const KEPT_PAGES_FRESH_MS = 5 * MINUTE_MS;
/** Pauses after the first try, in which the network or the server may have come back. */
export const KEPT_PAGES_RETRY_DELAYS_MS = [5, 20, 60].map((seconds) => seconds * SECOND_MS);
export const KEPT_FLIGHTS = 20;
/** Wait for a page that does not come, before a kept one is shown in its place. */
export const MAX_PAGE_WAIT_MS = 4 * SECOND_MS;
export const UNSENT_RETRY_MS = 30 * SECOND_MS;
export const WORKER_FETCH_TIMEOUT_MS = MINUTE_MS;

// Sessions and sign-in
export const SESSION_LIFE_DAYS = 14;
export const SESSION_RENEWAL_HOURS = 1;
export const MAX_SESSION_LIFE_DAYS = 60;
export const MAX_SESSION_LIFE_S = MAX_SESSION_LIFE_DAYS * DAY_S;
export const SHARED_SESSION_LIFE_HOURS = 8;
export const ENDED_SESSION_KEPT_DAYS = 7;
export const SESSION_SEEN_MINUTES = 5;
/** A form that was on its way when its session got a new token is kept. */
export const FORMER_TOKEN_MINUTES = 5;
/** Minutes after the password was entered in which dangerous acts do not ask for it again. */
export const PROOF_LIFE_MINUTES = 15;
export const MAX_LISTED_SESSIONS = 100;
/** Limit of a username from one address, or on a device where the user has signed in before. */
export const MAX_LOGIN_FAILURES = 10;
/** Limit of a username from all addresses; it is higher, so that no single stranger uses it up. */
export const MAX_LOGIN_FAILURES_OF_NAME = 30;
/** Limit of one address for all usernames; a whole school may be behind it. */
export const MAX_LOGIN_FAILURES_OF_ADDRESS = 100;
export const MAX_LOGIN_FAILURES_OF_SITE = 1000;
/** Failures of a username or an address that are spared while the whole site is over its limit. */
export const MAX_LOGIN_FAILURES_IN_SITE_FLOOD = 3;
export const MAX_WAITING_HASHINGS = 200;
export const HASHING_RETRY_S = 5;
/** Refusals of one address or device by Remix before the next ones are refused without it. */
export const MAX_REFUSED_SIGN_INS_OF_SENDER = 20;
/** Refusals of all addresses together before answers to wrong sign-ins from unknown devices wait. */
export const MAX_REFUSED_SIGN_INS_OF_SITE = 100;
export const SIGN_IN_FLOOD_WINDOW_MS = 10 * SECOND_MS;
export const SIGN_IN_FLOOD_DELAY_MS = 2 * SECOND_MS;
export const MAX_DELAYED_SIGN_INS = 1000;
export const KNOWN_DEVICE_LIFE_S = 365 * DAY_S;
export const MAX_USERS_OF_DEVICE = 5;
export const LOGIN_WINDOW_MINUTES = 5;
/** Wrong codes of a day count together, until a right one. */
export const CODE_WINDOW_MINUTES = 24 * 60;
/** Minutes in which no code is taken: after the first ten wrong ones, after the next ten, and so on. */
export const CODE_LOCKS_MINUTES = [5, 15, 60, 4 * 60, 24 * 60] as const;
/** Time from the first lock after which they begin anew. */
export const CODE_LOCKS_KEPT_MINUTES = 7 * 24 * 60;
export const FORGOTTEN_WINDOW_MINUTES = 60;
export const MAX_FORGOTTEN_PASSWORDS_OF_NAME = 3;
export const MAX_FORGOTTEN_PASSWORDS_OF_ADDRESS = 20;
export const MAX_FORGOTTEN_PASSWORDS_OF_SITE = 300;
export const SECOND_FACTOR_STEP_S = 30;
export const SECOND_FACTOR_SECRET_BYTES = 20;
export const SECOND_STEP_LIFE_S = 600;
export const RECOVERY_CODES = 10;
/** A multiple of five gives whole groups; a plain hash of fewer than 14 could be searched. */
export const RECOVERY_CODE_BYTES = 15;
export const MAX_CODE_CHARACTERS = 100;
export const PASSKEY_CHALLENGE_LIFE_S = 300;
export const PASSKEY_CHALLENGE_BYTES = 32;
export const MAX_PASSKEYS = 20;
export const MAX_PASSKEY_NAME_CHARACTERS = 100;
/** WebAuthn allows at most these 1,023 bytes in base64url. */
export const MAX_CREDENTIAL_ID_CHARACTERS = 1364;
export const MAX_PASSKEY_RESPONSE_CHARACTERS = 16 * KIB;
export const MIN_RSA_MODULUS_BYTES = 256;
export const ACCESS_TOKEN_BYTES = 20;
export const MAX_ACCESS_TOKENS = 20;
export const MAX_ACCESS_TOKEN_NAME_CHARACTERS = 100;
export const ACCESS_TOKEN_LIVES_DAYS = [30, 90, 365];
export const ACCESS_TOKEN_SEEN_SECONDS = 60;
export const MAX_ACCESS_TOKEN_REQUESTS = 300;
export const ACCESS_TOKEN_WINDOW_MS = MINUTE_MS;
export const MAX_CALENDAR_REQUESTS = 30;
export const MAX_WRONG_CALENDAR_LINKS = 60;
export const CALENDAR_WINDOW_MS = MINUTE_MS;
export const MAX_THROTTLED_USERNAME_CHARACTERS = 200;

// Deleted users
export const DELETED_EMAIL_KEPT_DAYS = 30;
export const MAX_REMOVED_EMAILS = 1000;

// Activity
/** Limits of a school, and of events without one; the database has the same limits. */
export const MIN_ACTIVITY_KEPT_DAYS = 90;
export const DEFAULT_ACTIVITY_KEPT_DAYS = 730;
export const MAX_ACTIVITY_KEPT_DAYS = 3650;
/** An event that comes again within this time is counted, not recorded anew. */
export const REPEATED_EVENT_MS = MINUTE_MS;
/** Limit, for one kind of event, of one signed-in user, or of a network or an account where nobody is signed in. */
export const MAX_RECORDED_EVENTS_A_MINUTE = 60;
export const MAX_RECORDED_EVENTS_AN_HOUR = 600;
/** So many times these limits hold for all networks together. */
export const ALL_NETWORKS_EVENT_LIMIT_FACTOR = 10;
/** A flood beyond it is faster than the database, and events are dropped. */
export const MAX_WAITING_EVENTS = 1000;
export const MAX_WAITING_EVENTS_OF_NETWORK = 200;
export const SEAL_INTERVAL_S = 10;
export const SEAL_HEADS_MAIL_INTERVAL_DAYS = 7;
export const SEAL_BATCH_ENTRIES = 1000;
/** Number of entries among which some may be committed later, by an older transaction. */
export const SEAL_LOOKBACK_ENTRIES = 10_000;
export const MAX_REMOVED_ACTIVITY_ENTRIES = 10_000;
export const REFUSALS_BEFORE_ALERT = 20;
export const ALERT_PAUSE_HOURS = 1;
export const ALERT_MAIL_LIFE_MS = 7 * DAY_MS;
export const OWN_NOTICES_LISTED = 10;
export const MAX_EVENT_PATH_CHARACTERS = 200;

// Mail
export const MAX_MAILS_TO_TARGET_HOURLY = 5;
export const MAX_MAILS_OF_USER_HOURLY = 60;
export const MAX_MAILS_OF_SCHOOL_HOURLY = 200;
export const JOINED_INVITATIONS_SHOWN = 10;
export const INVITATION_LIFE_MS = 7 * DAY_MS;
export const PASSWORD_LINK_LIFE_MS = DAY_MS;
export const CLOSED_FLIGHT_MAIL_LIFE_MS = 7 * DAY_MS;
export const REMINDER_MAIL_LIFE_MS = 2 * DAY_MS;
export const MAINTENANCE_MAIL_LIFE_MS = 7 * DAY_MS;
export const MAIL_SEND_TIMEOUT_MS = MINUTE_MS;
export const MAX_MAIL_RETRY_SECONDS = 3600;
export const MAX_MAIL_ERROR_CHARACTERS = 500;
export const OLD_MAIL_KEPT_DAYS = 30;
export const SMTP_CONNECTION_TIMEOUT_MS = 3 * SECOND_MS;
export const SMTP_GREETING_TIMEOUT_MS = 3 * SECOND_MS;
export const SMTP_SOCKET_TIMEOUT_MS = 5 * SECOND_MS;

// Jobs
export const JOB_POLL_INTERVAL_MS = SECOND_MS;
export const JOB_ERROR_DELAY_MS = 10 * SECOND_MS;
/** So long after the end of a process another one goes on. */
export const JOB_CLAIM_SECONDS = 30;
export const JOB_RENEWAL_MS = 10 * SECOND_MS;
export const FIRST_JOB_RETRY_SECONDS = 5;
export const GIVEN_UP_JOB_KEPT_DAYS = 30;

// Webhooks
export const MAX_WEBHOOKS = 5;
export const MAX_WEBHOOK_URL_CHARACTERS = 1000;
export const WEBHOOK_SECRET_BYTES = 32;
export const PREVIOUS_WEBHOOK_SECRET_HOURS = 24;
export const MAX_WEBHOOK_RETRY_SECONDS = DAY_S;
export const WEBHOOK_EVENT_LIFE_DAYS = 3;
export const WEBHOOK_EVENT_LIFE_MS = WEBHOOK_EVENT_LIFE_DAYS * DAY_MS;
export const WEBHOOK_LOG_DAYS = 30;
export const WEBHOOK_MAIL_LIFE_MS = 7 * DAY_MS;
/** More than those of all webhooks of a school, which leave others room. */
export const MAX_WEBHOOK_REQUESTS = 32;
export const MAX_REQUESTS_OF_WEBHOOK = 4;
export const MAX_WEBHOOK_ANSWER_BYTES = 64 * KIB;
export const MAX_WEBHOOK_ANSWER_CHARACTERS = 1024;
export const MAX_WEBHOOK_ERROR_CHARACTERS = 500;
export const MAX_REMOVED_DELIVERIES = 10_000;

// Photos and scans
export const MAX_UPLOADED_PHOTO_BYTES = 20 * MIB;
export const MAX_IMAGE_DATA_CHARACTERS = 10 * MIB;
export const MAX_SCAN_FORM_BYTES = MAX_UPLOADED_PHOTO_BYTES + 64 * KIB;
/** The form has a photo of each meter, one of a receipt, and the text fields. */
export const MAX_PHOTO_FORM_BYTES = 3 * MAX_UPLOADED_PHOTO_BYTES + MAX_FORM_BYTES;
/** The limit exceeds the image's own, so that that one answers first. */
export const MAX_ANALYZE_IMAGE_BODY_BYTES = MAX_IMAGE_DATA_CHARACTERS + 2 * MIB;
/** The body has a receipt of ten megabytes in base64, and the rest of the check-in. */
export const MAX_CHECK_IN_BODY_BYTES = 12 * MIB;
export const MAX_PENDING_PHOTOS_OF_USER = 3;
export const MAX_PENDING_PHOTOS_OF_SCHOOL = 8;
/** Each photo may hold an upload in memory. */
export const MAX_PENDING_PHOTOS = 32;
export const MAX_PENDING_PHOTOS_OF_WORK_STEP = 8;
export const PHOTO_RETRY_S = 5;
export const MAX_PHOTO_WIDTH_PIXELS = 800;
export const CAPTURED_JPEG_QUALITY = 0.5;
/** The time is longer than the server's own limit for one reading. */
export const ANALYZE_IMAGE_TIMEOUT_MS = 30 * SECOND_MS;
export const MEDIUM_CONFIDENCE = 0.5;
export const HIGH_CONFIDENCE = 0.8;

// Exports
export const EXPORT_CONNECTIONS = 6;
export const MAX_EXPORTS_OF_SCHOOL = 2;
export const EXPORT_RETRY_S = 10;
export const MAX_EXPORTS_OF_USER_HOURLY = 30;
export const MAX_EXPORTS_OF_SCHOOL_HOURLY = 100;
/** Age of an export after which a school that is to be deleted must be exported anew. */
export const EXPORT_BEFORE_REMOVAL_HOURS = 24;
export const SCHOOL_REMOVAL_DAYS = 7;
export const SCHOOL_REMOVAL_INTERVAL_S = 10 * MINUTE_S;
export const REMOVAL_BATCH_ROWS = 500;
export interface ArchiveLimits {
  files: number;
  /** Of all files together, inflated. */
  bytes: number;
  manifestBytes: number;
  rows: number;
}
export const ARCHIVE_LIMITS: ArchiveLimits = {
  files: 1_000_000,
  bytes: 256 * 1024 * MIB,
  manifestBytes: 256 * MIB,
  rows: 100_000_000,
};
/** Of an export that an administrator uploads, who may mean harm. */
export const UPLOADED_ARCHIVE_LIMITS: ArchiveLimits = {
  files: 20_000,
  bytes: 2 * 1024 * MIB,
  manifestBytes: 8 * MIB,
  rows: 2_000_000,
};
export const MAX_UPLOADED_ARCHIVE_BYTES = 256 * MIB;
/** Limit of people who would sign in: each is a line of a question, and is held in memory. */
export const MAX_UPLOADED_PEOPLE = 5000;
export const ARCHIVE_PIECE_BYTES = MIB;
/** Limit of a file's name, fields and comment together. */
export const MAX_ARCHIVE_ENTRY_HEADER_BYTES = KIB;
/** Rows never become so many times as large as in the zip; what stays small may. */
export const MAX_INFLATION = 200;
export const MAX_FREELY_INFLATED_BYTES = 10 * MIB;
export const MAX_ARCHIVE_LINE_BYTES = 8 * MIB;
export const ARCHIVE_BATCH_ROWS = 1000;
export const ARCHIVE_BATCH_CHARACTERS = 2 * MIB;
export const CSV_CHUNK_CHARACTERS = 32 * KIB;

// Imports
/** The limit exceeds the file's own, so that that one answers first. */
export const MAX_IMPORT_FORM_BYTES = MAX_IMPORT_BYTES + MAX_FORM_BYTES + 4 * MIB;
export const MAX_MOVING_IN_FORM_BYTES = MAX_UPLOADED_ARCHIVE_BYTES + MAX_FORM_BYTES + 4 * MIB;
export const MAX_MOVING_IN_QUESTIONS = 50;
export const MAX_UNAPPLIED_IMPORTS_OF_SCHOOL = 20;
export const MAX_PENDING_IMPORT_FILES_OF_SCHOOL = 4;
export const MAX_PENDING_IMPORT_FILES = 16;
export const IMPORT_FILE_RETRY_S = 10;
/** Days for a file that was not applied; of others only the list of their records stays. */
export const UNAPPLIED_IMPORT_KEPT_DAYS = 7;
/** The text of one statement stays small enough not to be kept long. */
export const IMPORT_BATCH_ROWS = 150;
export const IMPORT_SORT_SLICE_ROWS = 5000;
/** Postgres is told to count the rows anew from this number on. */
export const MIN_ROWS_FOR_POSTGRES_ANALYZE = 1000;
export const IMPORT_CONNECTIONS = 2;
export const MAX_IMPORT_ATTEMPTS = 3;
export const MAX_IMPORT_RETRY_SECONDS = 60;
export const IMPORT_TAKEN_PAUSE_SECONDS = 5;
export const MAX_ANSWER_WAIT_FOR_IMPORT_MS = 2 * SECOND_MS;
export const IMPORT_ROWS_SHOWN = 100;
export const LISTED_IMPORTS = 50;
export const IMPORT_PAGE_RENEWAL_SECONDS = 2;

// Pages and the process
export const TOAST_DURATION_MS = 5 * SECOND_MS;
export const PHOTO_READER_WARM_UP_DELAY_MS = 2 * SECOND_MS;
export const PROBE_TIMEOUT_MS = 1000;
/** Limit for the difference of Postgres' clock and ours: codes, sessions and links would end early or late. */
export const MAX_DATABASE_CLOCK_OFF_SECONDS = 5;
/** A nightly backup that failed once is said before the next night is over. */
export const BACKUP_OVERDUE_S = 2 * DAY_S;
/** A weekly verification that failed once is said a day later. */
export const BACKUP_VERIFICATION_LATE_SECONDS = 8 * DAY_S;
/** NTP never sets a right clock by as much at once. */
export const CLOCK_STEP_MS = 1000;
export const CLOCK_CHECK_MS = 5000;
/** The clean-up does it once a day. */
export const AUDIT_CHECK_INTERVAL_HOURS = 23;
export const CLEANUP_INTERVAL_S = 60 * MINUTE_S;

const TARGETS = {
  user: 'users',
  aircraft: 'aircraft',
  photo: 'photos',
  flight: 'flight_logs',
  squawk: 'squawks',
  inspection: 'inspections',
  mail: 'mail_outbox',
};

type Target = keyof typeof TARGETS;

interface References {
  table: string;
  /** Expression that names a row. */
  row?: string;
  to: Partial<Record<Target, string[]>>;
  /** False for rows that belong to no school. */
  ofSchool?: false;
}

const REFERENCES: References[] = [
  { table: 'aircraft', to: { user: ['last_hobbs_by', 'last_tach_by'] } },
  {
    table: 'flight_logs',
    row: `'flight ' || child.id`,
    to: {
      user: ['user_id', 'instructor_id', 'completed_by', 'voided_by'],
      aircraft: ['aircraft_id'],
      photo: ['start_hobbs_photo_id', 'start_tach_photo_id', 'end_hobbs_photo_id', 'end_tach_photo_id'],
    },
  },
  {
    table: 'fuel_records',
    row: `'fuel record ' || child.id`,
    to: { flight: ['flight_log_id'], photo: ['receipt_photo_id'] },
  },
  {
    table: 'flight_log_revisions',
    row: `'correction ' || child.id`,
    to: { flight: ['flight_log_id'], user: ['user_id'] },
  },
  {
    table: 'scans',
    row: `'scan ' || child.id`,
    to: { aircraft: ['aircraft_id'], user: ['user_id'], photo: ['photo_id', 'crop_id'] },
  },
  { table: 'photos', row: `'photo ' || child.id`, to: { user: ['user_id'] } },
  {
    table: 'invitations',
    row: `'invitation ' || child.id`,
    to: { user: ['invited_by', 'accepted_by'], mail: ['mail_id'] },
  },
  { table: 'password_links', row: `'password link of user ' || child.user_id`, to: { user: ['user_id'] } },
  {
    table: 'meter_segments',
    row: `'meter ' || child.id`,
    to: { aircraft: ['aircraft_id'], flight: ['flight_log_id'], user: ['declared_by'] },
  },
  {
    table: 'squawks',
    row: `'squawk ' || child.id`,
    to: { aircraft: ['aircraft_id'], flight: ['flight_log_id'], user: ['user_id'] },
  },
  {
    table: 'squawk_events',
    row: `'event of squawk ' || child.squawk_id`,
    to: { squawk: ['squawk_id'], user: ['user_id'] },
  },
  {
    table: 'squawk_photos',
    row: `'photo of squawk ' || child.squawk_id`,
    to: { squawk: ['squawk_id'], photo: ['photo_id'] },
  },
  { table: 'inspections', row: `'inspection ' || child.id`, to: { aircraft: ['aircraft_id'] } },
  {
    table: 'inspection_completions',
    row: `'completion of inspection ' || child.inspection_id`,
    to: { inspection: ['inspection_id'], user: ['user_id'] },
  },
  { table: 'sessions', row: `'session ' || child.number`, to: { user: ['user_id'] }, ofSchool: false },
  {
    table: 'drafts',
    row: `'draft ' || child.form || ' of user ' || child.user_id`,
    to: { user: ['user_id'] },
    ofSchool: false,
  },
];

/** Selects rows that refer to what is missing or another school's: one join by hash for each column. */
export const BROKEN_REFERENCES_SQL = REFERENCES.flatMap(
  ({ table, row = `'${table} ' || child.id`, to, ofSchool = true }) =>
    Object.entries(TARGETS).flatMap(([target, targets]) =>
      (to[target as Target] ?? []).map(
        (column) => `
        select ${ofSchool ? 'child.school_id' : 'null::integer as school_id'}, ${row} as subject,
          '${target} ' || child.${column} || ' is not there' as detail
        from ${table} as child left join ${targets} as target
          on target.id = child.${column}${ofSchool ? ' and target.school_id = child.school_id' : ''}
        where child.${column} is not null and target.id is null`,
      ),
    ),
).join(' union all ');

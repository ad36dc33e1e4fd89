/** The columns that the list reads for every flight of the first school, unformatted, as its SQL is sent. */
export const LIST_COLUMNS = `
  select flight_logs.id, start_hobbs, start_tach, end_hobbs, end_tach, hobbs_hours, tach_hours, flight_logs.created_at,
    completed_at, departed_at, landed_at, instructor_time_in, instructor_time_out, ground_school_time, flight_logs.notes, reading_flags,
    unsafe_at_start, overdue_at_start, deferrals_over_at_start, aircraft.id, tail_number, make, model, pilot.id, pilot.username, pilot.email,
    instructor.id, instructor.username, start_hobbs_photo_id, start_tach_photo_id, end_hobbs_photo_id, end_tach_photo_id,
    hobbs_old_last, hobbs_new_first, tach_old_last, tach_new_first,
    (select coalesce(json_agg(record), '[]') from (
      select refueled, oil_added, fuel_records.notes, receipt_photo_id, oil_quantity from fuel_records
      where fuel_records.school_id = flight_logs.school_id and flight_log_id = flight_logs.id
      order by fuel_records.id) as record),
    exists (select from flight_log_revisions where flight_log_revisions.school_id = flight_logs.school_id
      and flight_log_revisions.flight_log_id = flight_logs.id)
  from flight_logs
  join aircraft on aircraft.id = flight_logs.aircraft_id
  join users as pilot on pilot.id = flight_logs.user_id
  left join users as instructor on instructor.id = flight_logs.instructor_id
  where flight_logs.school_id = 1 and voided_at is null
  order by flight_logs.created_at desc, flight_logs.id desc`;

/** What each view doctor_… of the schema finds, and how it is mended. A view without an entry here fails a test. */
export interface Invariant {
  /** What the rows of the view are, as the heading of a fault. */
  fault: string;
  mend: string;
  /** Also found where the product merely does not run, as in a restored copy. */
  needsRunningProduct?: true;
}

const ASK = 'find out with the people concerned what is true';

export const INVARIANTS: Record<string, Invariant> = {
  aircraft_with_two_open_flights: {
    fault: 'An aircraft has two open flights',
    mend: `${ASK}, then close or cancel the wrong flight at /flight-logs.`,
  },
  pilots_with_two_open_flights: {
    fault: 'A pilot has two open flights',
    mend: `${ASK}, then close or cancel the wrong flight at /flight-logs.`,
  },
  open_flights_of_the_deleted: {
    fault: 'A deleted pilot or aircraft has an open flight',
    mend: 'close or cancel the flight at /flight-logs.',
  },
  flights_ended_before_start: {
    fault: 'A flight ended before it began',
    mend: `${ASK}; set completed_at of the flight to created_at or later, and look at the clock of the server.`,
  },
  flights_with_end_below_start: {
    fault: 'A flight ended at or below its start reading',
    mend: `${ASK}, then correct the readings at /flight-logs.`,
  },
  flights_half_ended: {
    fault: 'A flight is neither open, checked in nor cancelled',
    mend: `${ASK}; restore the row from a backup, or fill in what is missing.`,
  },
  flights_with_times_out_of_order: {
    fault: 'A flight landed before it departed, or after it was checked in',
    mend: `${ASK}, then correct its times at /flight-logs.`,
  },
  corrections_that_do_not_fit: {
    fault: 'A flight has another reading than its last correction says',
    mend: `${ASK}, then correct the reading at /flight-logs.`,
  },
  last_readings_that_do_not_fit: {
    fault: 'The last reading of an aircraft is not that of its last flight',
    mend: 'read the meter, scan it at /ocr and save it as last reading.',
  },
  meter_changes_that_do_not_fit: {
    fault: 'A flight and the meters of its aircraft tell different meter changes',
    mend: `${ASK}, then declare the change, or take it back, by a correction at /flight-logs.`,
  },
  aircraft_without_meters: {
    fault: 'An aircraft lacks its first meter',
    mend: "insert a row with the reason 'new aircraft' into meter_segments.",
  },
  aircraft_twice: {
    fault: 'Two aircraft of a school have one tail number',
    mend: 'delete the one without flights at /airplanes.',
  },
  squawks_that_do_not_fit: {
    fault: 'A squawk has another state than its history says',
    mend: `${ASK}, then change its state on its page, which adds to its history.`,
  },
  references_that_lead_nowhere: {
    fault: 'A row refers to a row that is missing, or belongs to another school',
    mend: 'restore the missing row from a backup: `npm run flightline -- restore` into an empty database shows what it was.',
  },
  people_twice: {
    fault: 'Two users have one username, or one email in a school',
    mend: 'delete the one that is not used at /users.',
  },
  schools_without_administrator: {
    fault: 'A school has no administrator',
    mend: 'set role to administrator for one of its users, then `npm run flightline -- user:password NAME`.',
  },
  sessions_of_the_deleted: {
    fault: 'A deleted user is signed in',
    mend: '`npm run flightline -- doctor --mend` ends the session; read /activity for what was done with it.',
  },
  remains_of_the_deleted: {
    fault: 'A deleted user still has what was to be removed',
    mend: '`npm run flightline -- doctor --mend` removes it.',
  },
  sessions_past_their_end: {
    fault: 'A session lasts longer than a session may',
    mend: '`npm run flightline -- doctor --mend` ends it, and its user signs in again.',
  },
  invitations_of_members: {
    fault: 'Somebody is invited who is a member already',
    mend: 'delete the invitation at /users/invitations.',
  },
  invitations_twice: {
    fault: 'Two invitations are pending for one address',
    mend: 'delete the older one at /users/invitations.',
  },
  invitations_half_accepted: {
    fault: 'An invitation is half accepted',
    mend: 'set accepted_by and accepted_at both to null, or both to what /activity says.',
  },
  mails_stuck: {
    fault: 'A mail waits for too long',
    mend: 'start Flightline if it does not run; `npm run flightline -- mail:test ADDRESS` says what the mail server answers.',
    needsRunningProduct: true,
  },
  sent_mails_with_content: {
    fault: 'A sent mail still has its text, with the link in it',
    mend: '`npm run flightline -- doctor --mend` removes the text.',
  },
  webhooks_failing: {
    fault: 'A webhook takes no events',
    mend: 'its page under /school-settings/webhooks says what its receiver answers; remove it if nobody needs it.',
  },
  webhook_events_stuck: {
    fault: 'Events of a webhook wait for too long',
    mend: 'start Flightline if it does not run.',
    needsRunningProduct: true,
  },
  imports_stuck: {
    fault: 'An import waits for too long',
    mend: 'start Flightline if it does not run; it tries an import three times, and says on its page why it failed.',
    needsRunningProduct: true,
  },
  removals_stuck: {
    fault: 'A school that was to be deleted is still there',
    mend: 'start Flightline if it does not run; its log says why a school cannot be removed.',
    needsRunningProduct: true,
  },
  photos_of_nothing: {
    fault: 'A photo belongs to nothing',
    mend: 'delete the photo, once it is clear that no flight has lost it.',
  },
  requests_without_response: {
    fault: 'A request was begun and never answered',
    mend: '`npm run flightline -- doctor --mend` forgets it, so that it can be sent again.',
  },
  activity_changed: {
    fault: 'The recorded activity is not what was recorded',
    mend: 'somebody changed the database by hand: `npm run audit:verify` names the place, a backup has what was there.',
  },
};

/** Inserts and reads the activity, and nothing else; nobody signs in as it. Roles belong to the whole server. */
export const ACTIVITY_ROLE = 'flightline_activity';

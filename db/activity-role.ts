/** The role that inserts and reads the activity, and nothing else. Roles belong to the whole server. */
export const ACTIVITY_ROLE = 'flightline_activity';

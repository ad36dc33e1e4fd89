/**
 * The role that inserts and reads the activity and does nothing else; nobody signs in as it. Roles belong to the whole
 * server.
 */
export const ACTIVITY_ROLE = 'flightline_activity';

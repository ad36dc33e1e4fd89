/** The role that version 0.1.0 writes the activity as, on tables of this version too. */
export const ACTIVITY_ROLE = 'flightline_activity';

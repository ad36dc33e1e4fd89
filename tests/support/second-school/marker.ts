/** Stands in every text of the other school; whoever reads it there has been shown too much. */
export const MARKER = 'OTHERSCHOOL';
/** What every meter of the other school reads. */
export const MARKED_HOURS = '7777';

export const MARKED = new RegExp(`${MARKER}|${MARKED_HOURS}\\.\\d`, 'i');

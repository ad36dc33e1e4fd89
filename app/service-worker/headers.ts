/** Each page names the user whose device may keep it. */
export const KEPT_FOR = 'x-kept-for';
/** The service worker sends it with what it asks for to keep. */
export const FOR_KEEPING = 'x-for-keeping';
/** A kept answer says when it came. */
export const KEPT_AT_HEADER = 'x-kept-at';

/** On each page: the user whose device may keep it. */
export const KEPT_FOR = 'x-kept-for';
/** On what the service worker asks for to keep it. */
export const FOR_KEEPING = 'x-for-keeping';
/** On what is kept: when it came. */
export const KEPT_AT_HEADER = 'x-kept-at';

/** Marks a route, as its `handle`, whose screen is renewed every minute, without script by the browser. */
export const AUTO_RENEWED_HANDLE = { isRenewed: true };

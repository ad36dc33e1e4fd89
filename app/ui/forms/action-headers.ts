import type { HeadersFunction } from '@remix-run/node';

/** Of a page whose action may be refused for a while: Retry-After. */
export const headers: HeadersFunction = ({ actionHeaders }) => actionHeaders;

import fc from 'fast-check';
import { hostileJson, hostileName, hostileText } from './hostile-values.ts';

/** One thing wrong with a request; `at` picks where, modulo the number of places. */
export type RequestMutation =
  | { what: 'value'; at: number; value: unknown }
  | { what: 'missing'; at: number }
  | { what: 'swapped'; at: number; with: number }
  | { what: 'field'; name: string; value: unknown }
  | { what: 'many fields'; name: string; count: number }
  | { what: 'file'; at: number; bytes: Uint8Array<ArrayBuffer>; name: string }
  | { what: 'cut'; at: number }
  | { what: 'infinity'; at: number }
  | { what: 'body'; bytes: Uint8Array<ArrayBuffer> }
  | { what: 'type'; type: string }
  | { what: 'query'; name: string; value: string }
  | { what: 'path'; at: number; segment: string }
  | { what: 'header'; name: string; value: string };

const at = fc.nat({ max: 1000 });
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc
    .constantFrom('', '{', '[]', 'null', '"', '--b\r\n', '%', 'a=1&a', '\ufeff{}')
    .map((text) => new TextEncoder().encode(text)),
);

const TYPES = [
  ...['', 'text/plain', 'application/json', 'application/json; charset=utf-16', 'application/x-www-form-urlencoded'],
  ...[
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=b',
    'multipart/mixed; boundary=b',
  ],
  ...['application/xml', 'x', ';', 'application/json, text/html', 'multipart/form-data; boundary="\\"'],
];
const HEADERS = [
  ...[
    'idempotency-key',
    'cookie',
    'content-length',
    'content-encoding',
    'transfer-encoding',
    'origin',
    'sec-fetch-site',
    'host',
  ],
  ...[
    'x-forwarded-for',
    'x-client-address',
    'accept',
    'range',
    'if-none-match',
    'if-modified-since',
    'expect',
    'referer',
  ],
];
const HEADER_VALUES = [
  ...[
    '',
    '-1',
    '0',
    '99999999999',
    'x'.repeat(201),
    'x'.repeat(8000),
    'é',
    'a b',
    'gzip',
    'bytes=0-',
    '*',
    'null',
    '::::',
  ],
  ...[
    'flightline=',
    'flightline=%',
    'flightline=bnVsbA==.x',
    'flightline-flash=e30.',
    'flightline',
    '=;=;=',
    'flightline="a',
    ';'.repeat(5000),
  ],
];

/** The query parameters of the product. */
const QUERIES = [
  ...[
    'aircraftId',
    'flightSchoolId',
    'role',
    'step',
    'log',
    'show',
    'after',
    'before',
    'confirm',
    'scan',
    'read',
    'to',
    'token',
  ],
  ...['index', '_routes'],
];

/** Every mutation as data, so that a failure prints the one that caused it. */
export const requestMutations: fc.Arbitrary<RequestMutation> = fc.oneof(
  { weight: 8, arbitrary: mutation('value', { at, value: hostileJson }) },
  { weight: 2, arbitrary: mutation('missing', { at }) },
  { weight: 2, arbitrary: mutation('swapped', { at, with: at }) },
  { weight: 3, arbitrary: mutation('field', { name: hostileName, value: hostileJson }) },
  mutation('many fields', { name: fc.constantFrom('x', 'intent', 'x.y', 'x[0]'), count: fc.constantFrom(101, 5_000) }),
  mutation('file', { at, bytes, name: hostileText }),
  { weight: 2, arbitrary: mutation('cut', { at }) },
  mutation('infinity', { at }),
  mutation('body', { bytes }),
  mutation('type', { type: fc.constantFrom(...TYPES) }),
  {
    weight: 2,
    arbitrary: mutation('query', { name: fc.oneof(fc.constantFrom(...QUERIES), hostileName), value: hostileText }),
  },
  { weight: 2, arbitrary: mutation('path', { at, segment: hostileText }) },
  {
    weight: 3,
    arbitrary: mutation('header', { name: fc.constantFrom(...HEADERS), value: fc.constantFrom(...HEADER_VALUES) }),
  },
);

function mutation<What extends RequestMutation['what'], Rest>(
  what: What,
  rest: { [Key in keyof Rest]: fc.Arbitrary<Rest[Key]> },
) {
  return fc.record<Rest>(rest).map((drawn) => ({ what, ...drawn }));
}

import fc from 'fast-check';

/** Text that breaks programs: ends of ranges, other alphabets, half surrogate pairs, other languages' syntax. */
const BREAKING = [
  ...[
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'x\udfff',
    '\ufeff',
    '\u202e',
    '\u2066שלום',
    '🛩️',
    '👩‍✈️',
    'é',
    'e\u0301',
    '١٢٣٤',
    '１２３',
  ],
  ...[
    'null',
    'undefined',
    'true',
    'NaN',
    'Infinity',
    '-0',
    '-1',
    '0',
    '1.5',
    '1,5',
    '1e3',
    '1e999',
    '0x10',
    '9'.repeat(400),
  ],
  ...['2147483647', '2147483648', '9007199254740993', '1970-01-01', '25:61', '[object Object]', '[]', '{}'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', "'; drop table users; --", '<script>alert(1)</script>'],
  ...[
    '%',
    '%ff',
    '%00',
    '%25',
    '../../etc/passwd',
    '\r\nset-cookie: a=b',
    '=1+1',
    '\\',
    '"',
    '${7*7}',
    'a,b@c.example',
    '&',
    ';',
  ],
];

const codeUnit = fc.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit));
const long = fc.constantFrom(101, 501, 1025, 20_001, 300_000).map((length) => 'ß'.repeat(length));

export const hostileText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...BREAKING) },
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: codeUnit }),
  long,
);

const hostileNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.1, 1.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 + 2, 1e308, 5e-324, 1e21),
  fc.double({ noNaN: true }),
);

/** Any JSON value at all, deep and wide ones among them. */
export const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  { weight: 2, arbitrary: hostileNumber },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}, [null], [[]], { length: 1e9 }) },
  { weight: 2, arbitrary: fc.jsonValue() },
  fc.constantFrom(10, 2_000).map((depth) => Array.from({ length: depth }).reduce<unknown>((inner) => [inner], 1)),
  hostileText.map((value) => Array.from({ length: 3 }, () => value)),
  fc
    .constantFrom('{"__proto__":{"role":"administrator"}}', '{"toString":1,"valueOf":null}')
    .map((text) => JSON.parse(text)),
);

/** Names that no field has, or that mean something to the parsers of forms and of JSON. */
export const hostileName = fc.oneof(
  fc.constantFrom(
    '',
    'x[4294967294]',
    'x[0]',
    'aircraftId[0]',
    'aircraftId.id',
    'a'.repeat(300),
    '__proto__',
    '__proto__.role',
  ),
  fc.constantFrom(
    'constructor.prototype.role',
    '__intent__',
    'intent',
    'requestId',
    'x[]',
    'x[-1]',
    'x..y',
    '🛩️',
    'a b',
    '\0',
    'status',
  ),
  hostileText.map((text) => text.slice(0, 200)),
);

import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const sources = ['app', 'db'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => `${folder}/${name}`),
);
const files = sources.map((file) => ({ file, text: readFileSync(file, 'utf8') }));

/** What is looked at anew wherever it appears, and the files or folders in which it stands today. */
const DANGEROUS: [what: string, pattern: RegExp, places: string][] = [
  ['evaluates text as code', /\beval\(|\bFunction\(|node:vm\b|setTimeout\(['"`]/, ''],
  [
    'writes HTML that React has not escaped',
    /dangerouslySetInnerHTML|(inner|outer)HTML|insertAdjacentHTML|document\.write/,
    // The style sheets of the build.
    'app/server/contract/page/contract-page.tsx app/ui/page/styles.tsx',
  ],
  [
    'starts another program',
    /node:child_process|\bexecSync\b|execa/,
    'app/domain/imports/files/read-in-child-process.server.ts db/embedded/cluster.ts db/embedded/server-lease.ts',
  ],
  ['starts a shell', /\bshell: (true|['"])|\bexec(Sync)?\(['"`]/, ''],
  [
    'connects to Postgres',
    /from '(pg|\.{1,2}\/driver\.ts)'/,
    `db/backup/ db/bounded-client.ts db/bounded-pool.ts db/connect.server.ts db/copy-out.ts db/driver.ts db/embedded/
    db/prepare-session.ts db/prepared-statements.ts db/product-role.ts`,
  ],
  ['connects to a mail server', /from 'nodemailer'/, 'app/domain/mail/transport.server.ts'],
  [
    'opens any other connection',
    /node:(tls|https|http2|dgram|dns)\b|from 'undici'|WebSocket|EventSource|XMLHttpRequest|\bconnect\(\{/,
    `app/domain/webhooks/delivery/send-request.server.ts app/domain/webhooks/delivery/target-addresses.server.ts
    app/ui/forms/kept/send-form.ts`,
  ],
  [
    'fetches, in the browser and from its own server',
    /\bfetch\(/,
    `app/islands/camera/analyze-image.ts app/islands/keys/fetch-jump-targets.ts app/islands/passkeys/ask-passkey.ts
    app/islands/typed/server-drafts.ts app/routes/line/route.tsx app/service-worker/kept-pages.ts
    app/service-worker/unsent-forms.ts app/service-worker/worker.ts app/ui/page/keep-reference.ts`,
  ],
  [
    'builds a regular expression',
    /\bRegExp\(/,
    `app/domain/field-schemas.server.ts app/server/contract/example.server.ts
    app/server/observability/route-patterns.server.ts app/server/remix-serve/admission.server.ts`,
  ],
  [
    'builds SQL from text',
    /\bsql\.(raw|lit)\b|\bescapeLiteral\b/,
    `app/domain/aircraft/line-queries.server.ts app/domain/database-clock.server.ts
    app/domain/flights/details/find-flight-details.server.ts app/domain/flights/exported/export-columns.server.ts
    app/domain/list-pages.server.ts app/domain/sheets/row-xml.server.ts db/activity-chain.ts db/copy-out.ts db/doctor/count-recorded-rows.ts
    db/doctor/find-faults.ts db/doctor/repairs.ts db/migrate.ts db/product-role.ts`,
  ],
  [
    'asks by `exists` for a flight, which reads the table whole for whoever has none: hasFlight asks an index',
    /exists\s*\(\s*(select\b[\s\w]*from flight_logs|selectFrom\('flight_logs'\))/,
    '',
  ],
  [
    'keeps data in the browser',
    /localStorage|sessionStorage|indexedDB|document\.cookie|\bcaches\.|serviceWorker\b/,
    'app/islands/outbox/ app/service-worker/ app/ui/service-workers.ts',
  ],
  [
    'posts or receives messages',
    /\bpostMessage\(|\bon(ce)?\('message'|addEventListener\('message'|onmessage/,
    `app/domain/imports/files/reader.ts app/domain/meters/engine.server.ts app/domain/meters/engine/worker.ts
    app/islands/offline/use-unsent.ts app/islands/outbox/outbox.ts app/service-worker/worker.ts`,
  ],
  ['takes random numbers that can be guessed', /Math\.random/, ''],
  [
    'hashes or encrypts by something else than SHA-256 and Argon2id',
    /\b(createHash|createHmac)\((?!'sha256'\))(?!'sha256',)|createCipher|createDecipher|createSign|publicEncrypt|algorithm: /,
    // The second is what `openssl enc` reads.
    'app/domain/sealed-secrets.server.ts db/backup/encryption.ts',
  ],
  [
    'names a weak hash, cipher, block mode or padding',
    /\bmd5\b|\bsha-?1\b|\bRC4\b|\b(3|triple)?des(-ede3)?-|-(ecb|cbc)\b|PKCS1_PADDING/i,
    // CBC is what `openssl enc` reads and writes.
    'db/backup/encryption.ts',
  ],
  ['keeps what is pasted out of a field', /\bonPaste\b|'paste'|onpaste/, ''],
  ['parses XML, YAML or templates', /DOMParser|xml2js|fast-xml|js-yaml|from '(handlebars|mustache|ejs|pug)'/, ''],
  ['prints', /\bconsole\.|process\.std(out|err)/, ''],
  ['allows another origin', /access-control-allow/i, ''],
];

it.each(DANGEROUS)('source that %s stands only where it is reviewed', (_, pattern, listed) => {
  const places = listed.split(/\s+/).filter(Boolean);
  const found = files.filter(({ file, text }) => !isMigration(file) && pattern.test(text)).map(({ file }) => file);
  const isReviewed = (file: string) =>
    places.some((place) => file === place || (isFolder(place) && file.startsWith(place)));
  expect(found.filter((file) => !isReviewed(file))).toEqual([]);
  expect(places.filter((place) => !isFolder(place) && !found.includes(place))).toEqual([]);
});

it('the search for dangerous calls reads the source of the app and the database', () => {
  expect(sources).toContain('app/domain/people/passwords.server.ts');
  expect(sources).toContain('db/connect.server.ts');
  expect(sources.length).toBeGreaterThan(200);
});

/** Its SQL is constant, and runs before the server starts. */
function isMigration(file: string): boolean {
  return file.startsWith('db/migrations/');
}

function isFolder(place: string): boolean {
  return place.endsWith('/');
}

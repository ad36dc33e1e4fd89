import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { databaseUrl } from './database-url.ts';

/** The settings each test file runs with; the worker's database exists once a file calls `testDatabase()`. */
const { url, prefix } = inject('postgres');

process.env.TEST_DATABASE_URL ??= databaseUrl(url, prefix + randomUUID().replaceAll('-', ''));
process.env.NODE_ENV = 'test';
process.env.DATABASE_URL = process.env.TEST_DATABASE_URL;
process.env.APP_URL = 'http://localhost:3000';
process.env.SESSION_SECRET = 'a secret for tests only, 32 or more';
process.env.LOG_LEVEL = 'silent';
// What is noted beside the data of a checkout, such as the ends of its activity, is not the tests' own.
process.env.DATA_DIR = '.data/tests/noted';
process.env.PHOTO_WARM_UP = 'no';
// A busy machine may be slow; tests of the real bound unset it.
process.env.DATABASE_WAIT_MS = '60000';
for (const name of ['SMTP_URL', 'TRUST_PROXY', 'PRODUCT_NAME', 'METRICS_PORT', 'PREPARED_STATEMENTS'])
  delete process.env[name];

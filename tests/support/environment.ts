import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { databaseUrl } from './database-url.ts';

/** The settings each test file runs with; its own database exists once the file calls `testDatabase()`. */
const { url, template } = inject('postgres');
const run = template.slice('template_'.length);

process.env.NODE_ENV = 'test';
process.env.DATABASE_URL = databaseUrl(url, `test_${run}_${randomUUID().replaceAll('-', '')}`);
process.env.APP_URL = 'http://localhost:3000';
process.env.SESSION_SECRET = 'a secret for tests only, 32 or more';
process.env.LOG_LEVEL = 'silent';
for (const name of ['SMTP_URL', 'TRUST_PROXY', 'PRODUCT_NAME']) delete process.env[name];

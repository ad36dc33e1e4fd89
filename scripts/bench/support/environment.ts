import { randomUUID } from 'node:crypto';

// What is measured has a database of its own; modules of the application read settings as they are imported.
process.env.SESSION_SECRET ||= randomUUID() + randomUUID();
process.env.DATABASE_URL ||= 'postgres://localhost/none';

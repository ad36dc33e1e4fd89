/** Settings of this process, before it imports the app's modules, whose fixtures it makes and whose cookies it signs. */
process.env.NODE_ENV ??= 'test';
process.env.DATABASE_URL ??= 'postgres://127.0.0.1:1/nowhere';
process.env.SESSION_SECRET ??= 'a secret of the chaos run, 32 or more';
process.env.LOG_LEVEL ??= 'silent';

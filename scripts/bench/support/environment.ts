/** Settings of this process, before a measurement imports the app's modules; the apps it serves get their own. */
process.env.DATABASE_URL ??= 'postgres://127.0.0.1:1/nowhere';
process.env.SESSION_SECRET ??= 'a secret of the measurements, 32 or more';

// What a benchmark imports of the app reads these; what it serves is given its own.
process.env.DATABASE_URL ??= 'postgres://localhost/benchmarks';
process.env.SESSION_SECRET ??= 'of the benchmarks, on this machine only';

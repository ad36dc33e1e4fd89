import { existsSync } from 'node:fs';

// Loaded by --import: this process' clock is an hour behind while the file of CLOCK_SET_BACK is there.
const real = Date.now;
Date.now = () => real() - (existsSync(process.env.CLOCK_SET_BACK ?? '') ? 3_600_000 : 0);

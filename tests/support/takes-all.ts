/** Whether the run is `npm run test:all`, and tries all of what `npm test` tries in part. */
export const takesAll = process.env.EVERY === 'yes';

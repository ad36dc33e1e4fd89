/** What a test makes in its database. */
export type { Actor, Member } from '#app/domain/actor.ts';
export * from './database.ts';
export * from './flight.ts';
export * from './invitation.ts';
export * from './rows.ts';
export * from './school.ts';
export * from './sessions.ts';

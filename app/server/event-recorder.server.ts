import { EventRecorder } from '#app/domain/audit/event-recorder.server.ts';
import { db } from './db.server.ts';
import { log } from './log.server.ts';
import { onShutdown } from './remix-serve/shutdown.server.ts';

export const recorder = new EventRecorder(db, (error) => log.warn({ err: error }, 'an event was not recorded'));

onShutdown('work', () => recorder.flush());

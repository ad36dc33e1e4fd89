import { db } from '../db.server.ts';
import { recorder } from '../event-recorder.server.ts';
import { endSession, findSessionUser } from './session.server.ts';

/** Ends the session, records who signed out, and returns the Set-Cookie value that clears the cookie. */
export async function signOut(request: Request): Promise<string> {
  const actor = await findSessionUser(db, request);
  const cookie = await endSession(db, request);
  if (actor)
    recorder.record({
      action: 'signed out',
      userId: actor.id,
      schoolId: actor.schoolId,
      subject: 'user',
      subjectId: actor.id,
    });
  return cookie;
}

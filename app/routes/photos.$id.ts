import { db } from '../db.server.ts';
import { asMember } from '../domain/actor.ts';
import { findPhoto } from '../domain/meters/photo.server.ts';
import { Refusal } from '../domain/refusal.ts';
import { resource, signedInCall } from '../http/api.server.ts';
import { keepPrivate } from '../http/headers.server.ts';
import { idFrom } from '../http/ids.server.ts';

/** A photo, for the people of its school (C49). */
const route = resource({
  GET: signedInCall(async ({ actor, params }) => {
    const id = idFrom(params.id);
    const content = id && (await findPhoto(db, asMember(actor).schoolId, id));
    if (!content) throw new Refusal('notFound', 'Photo not found');
    const headers = keepPrivate(new Headers({ 'content-type': 'image/jpeg' }));
    return new Response(new Uint8Array(content), { headers });
  }),
});

export const loader = route.loader;
export const action = route.action;

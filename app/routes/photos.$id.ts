import { db } from '#app/server/db.server.ts';
import { asMember } from '#app/domain/actor.ts';
import { findPhoto } from '#app/domain/meters/photos.server.ts';
import { Refusal } from '#app/domain/app-error.ts';
import { resource, signedInCall } from '#app/server/api-resource.server.ts';
import { keepPrivate } from '#app/server/security-headers.server.ts';
import { idFrom } from '#app/server/ids.server.ts';

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

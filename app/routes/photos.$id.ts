import { db } from '#app/server/db.server.ts';
import { requireSchool } from '#app/domain/actor.ts';
import { findPhoto } from '#app/domain/meters/photos.server.ts';
import { AppError } from '#app/domain/app-error.ts';
import { apiResource, requireUser } from '#app/server/api-resource.server.ts';
import { applySecurityHeaders } from '#app/server/security-headers.server.ts';
import { parseId } from '#app/server/ids.server.ts';

/** A photo, for the people of its school (C49). */
const route = apiResource({
  GET: requireUser(async ({ actor, params }) => {
    const id = parseId(params.id);
    const content = id && (await findPhoto(db, requireSchool(actor).schoolId, id));
    if (!content) throw new AppError('notFound', 'Photo not found');
    const headers = applySecurityHeaders(new Headers({ 'content-type': 'image/jpeg' }));
    return new Response(new Uint8Array(content), { headers });
  }),
});

export const loader = route.loader;
export const action = route.action;

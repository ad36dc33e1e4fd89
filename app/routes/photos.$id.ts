import { AppError } from '#app/domain/app-error.ts';
import { findPhotoContent } from '#app/domain/meters/photos.server.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';
import { db } from '#app/server/db.server.ts';

const NOT_FOUND = 'Photo not found';

export const loader = apiResource({
  GET: authedCall({
    can: 'anyRole',
    ids: { id: NOT_FOUND },
    run: async ({ actor, params }) => {
      const content = await findPhotoContent(db, actor.schoolId, params.id);
      if (!content) throw new AppError('notFound', NOT_FOUND);
      const disposition = `inline; filename="photo-${params.id}.jpg"`;
      const headers = { 'content-type': 'image/jpeg', 'content-disposition': disposition };
      return new Response(new Uint8Array(content), { headers });
    },
  }),
});
export const action = loader;

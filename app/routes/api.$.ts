import { AppError } from '#app/domain/app-error.ts';
import { authedCall } from '#app/server/api/api-call.server.ts';
import { apiResource } from '#app/server/api/api-resource.server.ts';

const notFound = authedCall({
  can: 'anyRole',
  school: 'optional',
  run: async () => {
    throw new AppError('notFound', 'Not Found');
  },
});

export const loader = apiResource({ GET: notFound, POST: notFound, PUT: notFound, DELETE: notFound });
export const action = loader;

import { AppError } from '#app/domain/app-error.ts';
import { apiResource, requireUser } from '#app/server/api-resource.server.ts';

const notFound = requireUser(async () => {
  throw new AppError('notFound', 'Not Found');
});

const route = apiResource({ GET: notFound, POST: notFound, PUT: notFound, DELETE: notFound });

export const loader = route.loader;
export const action = route.action;

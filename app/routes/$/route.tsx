import { NotFoundPage } from '#app/ui/page/not-found-page.tsx';
import { AppError } from '#app/domain/app-error.ts';
import { authedLoader, authedAction } from '#app/server/screen.server.ts';

const notFound = async () => {
  throw new AppError('notFound', '404 Page Not Found');
};

export const loader = authedLoader(notFound);
export const action = authedAction(notFound);

export default NotFoundPage;

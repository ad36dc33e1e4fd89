import { authedLoader } from '#app/server/screen-loader.server.ts';
import { authedAction } from '#app/server/screen-action.server.ts';
import { NotFoundPage } from '#app/ui/page/not-found-page.tsx';
import { AppError } from '#app/domain/app-error.ts';
import { texts } from '#app/domain/texts.ts';

const notFound = async () => {
  throw new AppError('notFound', texts.pageNotFound);
};

export const loader = authedLoader({ can: 'anyRole', school: 'optional', load: notFound });
export const action = authedAction({ can: 'anyRole', school: 'optional', handle: notFound });

export default NotFoundPage;

import { authedAction, authedLoader } from '#app/server/screen.server.ts';
import { NotFoundPage } from '#app/ui/page/error-page.tsx';
import { AppError } from '#app/domain/app-error.ts';
import { isFileName } from '#app/server/remix-serve/find-refusal.server.ts';
import { texts } from '#app/domain/texts.ts';

const notFound = async () => {
  throw new AppError('notFound', texts.pageNotFound);
};

/** The browser asks for files of its own accord, and cannot sign in for them. */
const refuseFiles = ({ pathname }: URL) => {
  if (isFileName(pathname)) throw new AppError('notFound', texts.pageNotFound);
};

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  beforeSignIn: refuseFiles,
  load: notFound,
});
export const action = authedAction({ can: 'anyRole', school: 'optional', parksForms: false, handle: notFound });

export default NotFoundPage;

import { NotFound } from '#app/ui/page/not-found-page.tsx';
import { Refusal } from '#app/domain/app-error.ts';
import { signedIn, signedInPost } from '#app/server/screen.server.ts';

const notHere = async () => {
  throw new Refusal('notFound', '404 Page Not Found');
};

export const loader = signedIn(notHere);
export const action = signedInPost(notHere);

export default NotFound;

import { NotFound } from '../components/not-found.tsx';
import { Refusal } from '../domain/refusal.ts';
import { signedIn, signedInPost } from '../http/screen.server.ts';

const notHere = async () => {
  throw new Refusal('notFound', '404 Page Not Found');
};

export const loader = signedIn(notHere);
export const action = signedInPost(notHere);

export default NotFound;

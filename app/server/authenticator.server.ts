import { FormStrategy } from 'remix-auth-form';
import { db } from './db.server.ts';
import { type SignInInput, signInSchema } from '#app/domain/people/schema.server.ts';
import type { VerifiedUser } from '#app/domain/people/sessions.server.ts';
import { signIn } from '#app/domain/people/sign-in.server.ts';
import { findKnownDevice } from './known-device.server.ts';
import { clientNetwork } from './client-address.server.ts';

type Credentials = Pick<SignInInput, 'username' | 'password'>;

const credentials = signInSchema.omit({ sharedComputer: true });

const formStrategy = new FormStrategy(({ form, request }) =>
  authenticate(request, credentials.parse(Object.fromEntries(form))),
);

/** Throws as `authenticate` does. */
export function authenticateForm(request: Request, form: FormData): Promise<VerifiedUser> {
  return formStrategy.authenticate(new ParsedRequest(request, form));
}

/** Throws 'unauthorized', or 'tooMany' past too many failures. */
export async function authenticate(request: Request, credentials: Credentials): Promise<VerifiedUser> {
  const device = await findKnownDevice(request, credentials.username);
  return signIn(db, credentials, { network: clientNetwork(request), device });
}

/** Passes on the parsed form, because FormStrategy would read a body of any size. */
class ParsedRequest extends Request {
  readonly #form: FormData;

  constructor(request: Request, form: FormData) {
    super(request.url, { method: request.method, headers: request.headers, signal: request.signal });
    this.#form = form;
  }

  override async formData(): Promise<FormData> {
    return this.#form;
  }

  override clone(): ParsedRequest {
    return this;
  }
}

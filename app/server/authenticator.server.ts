import { FormStrategy } from 'remix-auth-form';
import { db } from './db.server.ts';
import { type SignInInput, signInSchema } from '#app/domain/people/schema.server.ts';
import { signIn } from '#app/domain/people/sign-in.server.ts';
import { clientNetwork } from './client-address.server.ts';

type Credentials = Pick<SignInInput, 'username' | 'password'>;

const credentials = signInSchema.omit({ sharedComputer: true });

const formStrategy = new FormStrategy(({ form, request }) =>
  authenticate(request, credentials.parse(Object.fromEntries(form))),
);

/** The id of the user who signs in with the sign-in screen's form, already parsed. Throws as `authenticate` does. */
export function authenticateForm(request: Request, form: FormData): Promise<number> {
  return formStrategy.authenticate(new ParsedRequest(request, form));
}

/** The id of the user with these credentials. Throws 'unauthorized', and 'tooMany' past ten failures (C37). */
export function authenticate(request: Request, given: Credentials): Promise<number> {
  return signIn(db, given, clientNetwork(request));
}

/** Gives the form that was read within limits to a strategy, which would read any body whole. */
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

import { type LoaderFunctionArgs, redirect } from '@remix-run/node';
import type { Actor } from '#app/domain/actor.ts';
import type { UnsentForms } from '#app/domain/typed-forms/typed-forms.server.ts';
import { paths } from '#app/paths.ts';
import { db } from './db.server.ts';
import {
  checkGuard,
  type Guard,
  type GuardedContext,
  lacksSecondFactor,
  type SchoolRequirement,
} from './guard.server.ts';
import { pathAndQuery, withErrorResponses } from './screen-responses.server.ts';
import { findPageSession } from './session/session.server.ts';

interface LoaderRequest {
  request: Request;
  url: URL;
}

interface AuthedLoaderOptions<School extends SchoolRequirement, Id extends string, Result> extends Guard<School, Id> {
  /** Throws answers that are the same signed in or not. */
  beforeSignIn?: (url: URL) => void;
  load: (context: LoaderRequest & { unsent: UnsentForms } & GuardedContext<School, Id>) => Promise<Result>;
}

/** Loads the page for users who may see it, and redirects others to sign in; `can` shows what the page needs. */
export function authedLoader<Result, School extends SchoolRequirement = 'required', Id extends string = never>(
  options: AuthedLoaderOptions<School, Id, Result>,
) {
  const loader = ({ request, params }: LoaderFunctionArgs) =>
    withErrorResponses(request, async () => {
      const url = new URL(request.url);
      options.beforeSignIn?.(url);
      const session = await findPageSession(db, request);
      if (!session) throw redirect(paths.signIn(pathAndQuery(url)));
      const { actor, unsent } = session;
      if (lacksSecondFactor(options, actor)) throw redirect(paths.secondFactor);
      return options.load({ request, url, unsent, ...checkGuard(options, actor, params) });
    });
  return Object.assign(loader, { can: options.can });
}

export function publicLoader<Result>(load: (context: LoaderRequest & { actor: Actor | undefined }) => Promise<Result>) {
  return ({ request }: LoaderFunctionArgs) =>
    withErrorResponses(request, async () =>
      load({ request, url: new URL(request.url), actor: (await findPageSession(db, request))?.actor }),
    );
}

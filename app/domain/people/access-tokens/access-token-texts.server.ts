import { MAX_ACCESS_TOKENS } from '#app/limits.ts';
import type { TokenScope } from './scopes.ts';

/** Texts that browsers do not load with every page. */
export const accessTokenTexts = {
  nameRequired: 'Please give it a name',
  scopeRequired: 'Please choose what it may do',
  lifeRequired: 'Please choose when it ends',
  notFound: 'Access token not found',
  tooMany: `You can have at most ${MAX_ACCESS_TOKENS} access tokens. Please remove one first.`,
  passwordNeeded: 'This asks for your password: please do it in the browser.',
  tooManyRequests: 'This access token was used too often in the last minute. Please wait.',
} as const;

export const scopeNeededText = (scope: TokenScope) =>
  `This access token may not do this: it takes the scope '${scope}'.`;

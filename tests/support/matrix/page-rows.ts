import { ROLES } from '#db/roles.ts';
import { getRequest } from '../requests.ts';
import { pathWith, ROUTES } from '../routes.ts';
import { inPath, type MatrixRow } from './cells.ts';
import type { Fixtures } from './fixtures.ts';

/** What a page answers unless it is named below: 200 to every role, and the sign-in page to who is signed out (C29). */
const USUAL = { allowed: ROLES, success: 200, signedOut: 302 };

/** The pages that answer otherwise, or name a record. */
function exceptions(fixtures: Fixtures): Record<string, Partial<MatrixRow>> {
  const { completedFlight, openFlight, openFlightOfAnotherPilot, scan } = fixtures;
  const administrators = { allowed: ['administrator'] as const };
  const pilotOrAdministrator = { administrator: 200, others: 403 };
  return {
    '/': { signedOut: 200 },
    '/login': { success: 302, signedOut: 200 },
    '/auth': { success: 302, signedOut: 200 },
    '/logout': { success: 302 },
    // Without a token there is nothing to show.
    '/register': { success: 303, signedOut: 303 },
    '/reset-password': { success: 303, signedOut: 303 },
    // A route that is registered only for administrators (B007).
    '/users/invitations': { ...administrators, refusal: 404 },
    '/flight-log/:id/post-check': { id: inPath(openFlight, { another: 403, conflicting: completedFlight }) },
    '/flight-logs/:id/close': {
      ...administrators,
      id: inPath(openFlightOfAnotherPilot, { conflicting: completedFlight }),
    },
    '/flight-logs/:id/cancel': {
      id: inPath(openFlight, { another: pilotOrAdministrator, conflicting: completedFlight }),
    },
    '/flight-logs/:id/correct': {
      id: inPath(completedFlight, { another: pilotOrAdministrator, conflicting: openFlight }),
    },
    '/ocr/:id/save': { allowed: ['administrator', 'instructor'], id: inPath(scan) },
    '/*': { success: 404 },
  };
}

/** C33 for a GET of every page there is: one that is added has the usual row until it is named above. */
export function pageRows(fixtures: Fixtures): MatrixRow[] {
  const named = exceptions(fixtures);
  const pages = ROUTES.filter(({ kind, module }) => kind === 'page' && module.loader);
  return pages.map(({ path }) => ({
    name: `GET ${path}`,
    ...USUAL,
    ...named[path],
    valid: (id) => (cookie) => getRequest(pathWith(path, id), cookie),
  }));
}

import type { LoaderFunction } from '@remix-run/node';
import { getRequest } from '../requests.ts';
import { pathWith, type Route, ROUTES } from '../routes.ts';
import { inPath, type MatrixRow } from './cells.ts';
import type { Fixtures } from './fixtures.ts';

/** What a page answers unless it is named below: 200 to the roles of its guard, and the sign-in page to who is signed out (C29). */
const usual = async ({ load }: Route) => ({ can: guardOf((await load()).loader), success: 200, signedOut: 302 });

/** The pages that answer otherwise, or name a record. */
function exceptions(fixtures: Fixtures): Record<string, Partial<MatrixRow>> {
  const {
    aircraft,
    completedFlight,
    openFlight,
    forgottenFlightOfAnotherPilot,
    scan,
    squawk,
    inspection,
    user,
    invitation,
    webhook,
    importedFile,
  } = fixtures;
  return {
    '/': { signedOut: 200 },
    '/login': { success: 302, signedOut: 200 },
    '/auth': { success: 302, signedOut: 200 },
    '/logout': { success: 302 },
    // Without a form that waits there is nothing to confirm.
    '/confirm-password': { success: 302 },
    '/login/code': { success: 302 },
    '/forgot-password': { signedOut: 200 },
    '/offline': { signedOut: 200 },
    // Without a token there is nothing to show.
    '/register': { success: 303, signedOut: 303 },
    '/reset-password': { success: 303, signedOut: 303 },
    // A route that is registered only for administrators (B007).
    '/users/invitations': { can: 'manage invitations', refusal: 404 },
    '/users/:id': { can: 'manage users', id: inPath(user, { another: 200 }) },
    '/users/invitations/:id': { can: 'manage invitations', refusal: 404, id: inPath(invitation, { another: 200 }) },
    '/school-settings/import/:id': { can: 'manage school', id: inPath(importedFile) },
    '/airplanes/:id': { id: inPath(aircraft) },
    '/airplanes/:id/calendar': { id: inPath(aircraft) },
    '/airplanes/:id/squawks/add': { id: inPath(aircraft) },
    '/airplanes/:id/inspections/add': { can: 'manage inspections', id: inPath(aircraft) },
    '/school-settings/webhooks/:id': { can: 'manage school', id: inPath(webhook, { another: 200 }) },
    '/squawks/:id': { id: inPath(squawk, { another: 200 }) },
    '/inspections/:id': { can: 'manage inspections', id: inPath(inspection) },
    '/flight-logs/:id': { id: inPath(completedFlight, { another: 200 }) },
    '/flight-log': { can: 'check out aircraft' },
    '/flight-log/offline': { can: 'check out aircraft' },
    '/flight-log/:id/post-check': { id: inPath(openFlight, { another: 403, conflicting: completedFlight }) },
    '/flight-logs/new': { can: 'enter past flights' },
    '/flight-logs/:id/close': {
      can: 'close flights on behalf',
      id: inPath(forgottenFlightOfAnotherPilot, { conflicting: completedFlight }),
    },
    '/flight-logs/:id/cancel': {
      id: inPath(openFlight, {
        another: { can: 'cancel any check-out', status: 200, others: 403 },
        conflicting: completedFlight,
      }),
    },
    '/flight-logs/:id/correct': {
      id: inPath(completedFlight, { another: { can: 'correct any flight', status: 200, others: 403 } }),
    },
    '/airplanes/:id/meters': { can: 'change meters', id: inPath(aircraft) },
    '/airplanes/:id/readings': { can: 'anyRole', id: inPath(aircraft) },
    '/ocr/:id/save': { can: 'save last readings', id: inPath(scan) },
    '/*': { success: 404 },
  };
}

/** C33 for a GET of every page there is: one that is added has the usual row until it is named above. */
export async function pageRows(fixtures: Fixtures): Promise<MatrixRow[]> {
  const named = exceptions(fixtures);
  const pages = ROUTES.filter(({ kind, exports }) => kind === 'page' && exports.has('loader'));
  const row = async (page: Route): Promise<MatrixRow> => ({
    name: `GET ${page.path}`,
    ...(await usual(page)),
    ...named[page.path],
    valid: (id) => (cookie) => getRequest(pathWith(page.path, id), cookie),
  });
  return Promise.all(pages.map(row));
}

function guardOf(loader: (LoaderFunction & { can?: MatrixRow['can'] }) | undefined): MatrixRow['can'] {
  return loader?.can ?? 'anyRole';
}

import type { FullSchool } from './fixtures.ts';
import { screenRoutes } from './screen-routes.ts';

export type Viewer = 'administrator' | 'instructor' | 'student' | 'visitor' | 'signing in';

export interface Screen {
  route: string;
  /** Who sees it; a visitor is nobody's user, and who is signing in has entered the password. */
  as: Viewer;
  path(school: FullSchool): string;
}

/** Screens that need an id, a token, or somebody else than an administrator to be seen. */
const ADDRESSES: Record<string, Partial<Screen>> = {
  '/*': { path: () => '/no/such/page' },
  '/airplanes/:id/calendar': { path: ({ free }) => `/airplanes/${free}/calendar` },
  '/airplanes/:id/meters': { path: ({ free }) => `/airplanes/${free}/meters` },
  '/airplanes/:id': { path: ({ free }) => `/airplanes/${free}` },
  '/airplanes/:id/inspections/add': { path: ({ free }) => `/airplanes/${free}/inspections/add` },
  '/airplanes/:id/squawks/add': { as: 'student', path: ({ free }) => `/airplanes/${free}/squawks/add` },
  '/inspections/:id': { path: ({ inspection }) => `/inspections/${inspection}` },
  '/school-settings/import/:id': { path: ({ importedFile }) => `/school-settings/import/${importedFile}` },
  '/school-settings/webhooks/:id': { path: ({ webhook }) => `/school-settings/webhooks/${webhook}` },
  '/squawks/:id': { path: ({ squawk }) => `/squawks/${squawk}` },
  '/users/:id': { path: ({ student }) => `/users/${student.id}` },
  '/users/invitations/:id': { path: ({ invitation }) => `/users/invitations/${invitation}` },
  '/auth': { as: 'visitor' },
  '/flight-log/:id/post-check': { as: 'student', path: ({ open }) => `/flight-log/${open}/post-check` },
  '/flight-logs/:id': { path: ({ flown }) => `/flight-logs/${flown}` },
  '/flight-logs/:id/cancel': { as: 'student', path: ({ open }) => `/flight-logs/${open}/cancel` },
  '/flight-logs/:id/close': { path: ({ open }) => `/flight-logs/${open}/close` },
  '/flight-logs/:id/correct': { path: ({ flown }) => `/flight-logs/${flown}/correct` },
  '/confirm-password': { path: () => '/confirm-password?to=%2Fusers%3Findex' },
  '/forgot-password': { as: 'visitor' },
  '/login': { as: 'visitor' },
  '/logout': { path: () => '/logout?unsent=yes' },
  '/login/code': { as: 'signing in' },
  '/ocr/:id/save': { path: ({ scan }) => `/ocr/${scan}/save` },
  '/register': { as: 'visitor', path: ({ token }) => `/register?token=${token}` },
  '/reset-password': { as: 'visitor', path: ({ token }) => `/reset-password?token=${token}` },
};

/** Every screen, with an address where it can be visited; a new one without parameters is in by itself. */
export function screens(): Screen[] {
  return screenRoutes().map((route) => ({
    route,
    as: 'administrator',
    path: () => plainAddress(route),
    ...ADDRESSES[route],
  }));
}

function plainAddress(route: string): string {
  if (/[:*]/.test(route))
    throw new Error(`No address for the screen ${route}: give it one in tests/support/screen-addresses.ts.`);
  return route;
}

/** Addresses of screens that there are no more. */
export function staleAddresses(): string[] {
  const routes = screenRoutes();
  return Object.keys(ADDRESSES).filter((route) => !routes.includes(route));
}

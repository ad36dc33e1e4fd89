export interface FlightLogsAt {
  /** Check-outs that never flew in the place of flights, for administrators. */
  show?: 'cancelled';
  aircraftId?: number | undefined;
  /** The page after the row at this position, or before it. */
  after?: string | undefined;
  before?: string | undefined;
  log?: number | undefined;
}

/** Every URL of the product (spec §2). */
export const paths = {
  dashboard: '/',
  login: '/login',
  auth: '/auth',
  logout: '/logout',
  fleet: '/airplanes',
  /** Where the fleet's forms post to. */
  fleetAction: '/airplanes?index',
  confirmDeleteAircraft: (aircraftId: number) => `/airplanes?confirm=delete-aircraft:${aircraftId}`,
  addAircraft: '/airplanes/add',
  users: '/users',
  /** Where the users' forms post to. */
  usersAction: '/users?index',
  confirmDeleteUser: (userId: number) => `/users?confirm=delete-user:${userId}`,
  addUser: '/users/add',
  invitations: '/users/invitations',
  confirmDeleteInvitation: (invitationId: number) => `/users/invitations?confirm=delete-invitation:${invitationId}`,
  register: (token: string) => withQuery('/register', { token }),
  resetPassword: (token: string) => withQuery('/reset-password', { token }),
  scan: '/ocr',
  scanAircraft: (aircraftId: number) => `/ocr?aircraftId=${aircraftId}`,
  scanned: (aircraftId: number, scanId: number) => `/ocr?aircraftId=${aircraftId}&scan=${scanId}`,
  saveScanned: (scanId: number) => `/ocr/${scanId}/save`,
  scanHistory: '/ocr/history',
  checkOut: '/flight-log',
  checkOutStep: (step: number) => `/flight-log?step=${step}`,
  /** Where the wizard and a check-in are kept while they are typed. */
  checkOutDraft: '/flight-log/draft',
  checkInDraft: (flightLogId: number) => `/flight-log/${flightLogId}/draft`,
  flightLogs: '/flight-logs',
  flightLog: (flightLogId: number) => `/flight-logs?log=${flightLogId}`,
  closeFlight: (flightLogId: number) => `/flight-logs/${flightLogId}/close`,
  cancelCheckOut: (flightLogId: number) => `/flight-logs/${flightLogId}/cancel`,
  correctReadings: (flightLogId: number) => `/flight-logs/${flightLogId}/correct`,
  /** The list as it is narrowed and paged, with the details of one flight if `log` names it. */
  flightLogsAt: (at: FlightLogsAt) => withQuery('/flight-logs', { ...at }),
  checkIn: (flightLogId: number) => `/flight-log/${flightLogId}/post-check`,
  schoolSettings: '/school-settings',
  exportFlightLogs: (aircraftId?: number) =>
    aircraftId === undefined ? '/api/flight-logs/export' : `/api/flight-logs/export?aircraftId=${aircraftId}`,
  analyzeImage: '/api/analyze-image',
  photo: (photoId: number) => `/photos/${photoId}`,
  /** The sign-in screen, which leads back to `to` (C29). */
  signIn: (to: string) => (to === '/' ? '/login' : `/login?${new URLSearchParams({ to })}`),
} as const;

function withQuery(path: string, query: Record<string, string | number | undefined>): string {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

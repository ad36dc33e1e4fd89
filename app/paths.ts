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
  addUser: '/users/add',
  invitations: '/users/invitations',
  scan: '/ocr',
  scanAircraft: (aircraftId: number) => `/ocr?aircraftId=${aircraftId}`,
  scanned: (aircraftId: number, scanId: number) => `/ocr?aircraftId=${aircraftId}&scan=${scanId}`,
  scanHistory: '/ocr/history',
  checkOut: '/flight-log',
  checkOutStep: (step: number) => `/flight-log?step=${step}`,
  flightLogs: '/flight-logs',
  closeFlight: (flightLogId: number) => `/flight-logs/${flightLogId}/close`,
  cancelCheckOut: (flightLogId: number) => `/flight-logs/${flightLogId}/cancel`,
  correctReadings: (flightLogId: number) => `/flight-logs/${flightLogId}/correct`,
  checkIn: (flightLogId: number) => `/flight-log/${flightLogId}/post-check`,
  schoolSettings: '/school-settings',
  exportFlightLogs: (aircraftId?: number) =>
    aircraftId === undefined ? '/api/flight-logs/export' : `/api/flight-logs/export?aircraftId=${aircraftId}`,
  photo: (photoId: number) => `/photos/${photoId}`,
  /** The sign-in screen, which leads back to `to` (C29). */
  signIn: (to: string) => (to === '/' ? '/login' : `/login?${new URLSearchParams({ to })}`),
} as const;

/** The flights to show: on the list, in its export, in the API and on the hours page. */
export interface FlightFilterQuery {
  aircraftId?: number | undefined;
  pilotId?: number | undefined;
  instructorId?: number | undefined;
  /** Days of the start at the school, both included, as '2026-05-12'. */
  from?: string | undefined;
  to?: string | undefined;
  status?: 'in_progress' | 'completed' | undefined;
  q?: string | undefined;
  /** Instant, or day at the school, since which flights have changed. */
  since?: string | undefined;
}

export interface FlightLogsQuery extends FlightFilterQuery {
  show?: 'cancelled';
  after?: string | undefined;
  before?: string | undefined;
  log?: number | undefined;
}

export interface HoursQuery extends FlightFilterQuery {
  by?: 'pilot' | 'instructor' | 'aircraft' | undefined;
}

export interface ActivityPageQuery {
  person?: number | undefined;
  kind?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  after?: string | undefined;
  before?: string | undefined;
}

export const paths = {
  dashboard: '/',
  line: '/line',
  search: '/search',
  school: '/school',
  jumpTo: (query: string) => withQuery('/jump', { q: query }),
  login: '/login',
  passkeySignIn: (to: string) => withQuery('/login/passkey', { to: to === '/' ? undefined : to }),
  logout: '/logout',
  /** Says what a log-out removes from the device unsent. */
  logoutUnsent: '/logout?unsent=yes',
  fleet: '/airplanes',
  fleetAction: '/airplanes?index',
  confirmDeleteAircraft: (aircraftId: number) => `/airplanes?confirm=delete-aircraft:${aircraftId}`,
  maintenance: '/airplanes/maintenance',
  maintenanceOf: (aircraftId: number) => withQuery('/airplanes/maintenance', { aircraftId }),
  aircraftCodes: '/airplanes/qr',
  addAircraft: '/airplanes/add',
  aircraftCalendar: (aircraftId: number) => `/airplanes/${aircraftId}/calendar`,
  calendar: (secret: string) => `/calendar/${secret}.ics`,
  aircraftMeters: (aircraftId: number) => `/airplanes/${aircraftId}/meters`,
  aircraft: (aircraftId: number) => `/airplanes/${aircraftId}`,
  aircraftAction: (aircraftId: number) => `/airplanes/${aircraftId}?index`,
  aircraftReadings: (aircraftId: number, at: { after?: string | undefined }) =>
    withQuery(`/airplanes/${aircraftId}/readings`, at),
  addSquawk: (aircraftId: number) => `/airplanes/${aircraftId}/squawks/add`,
  squawk: (squawkId: number) => `/squawks/${squawkId}`,
  addInspection: (aircraftId: number) => `/airplanes/${aircraftId}/inspections/add`,
  inspection: (inspectionId: number) => `/inspections/${inspectionId}`,
  flightPage: (flightLogId: number) => `/flight-logs/${flightLogId}`,
  flightPageAction: (flightLogId: number) => `/flight-logs/${flightLogId}?index`,
  api: '/api',
  account: '/account',
  changePassword: '/account/password',
  changeEmail: '/account/email',
  changeName: '/account/name',
  confirmPassword: (to: string) => `/confirm-password?${new URLSearchParams({ to })}`,
  secondFactor: '/account/second-factor',
  addPasskey: '/account/passkey',
  addAccessToken: '/account/token',
  users: '/users',
  usersAction: '/users?index',
  user: (userId: number) => `/users/${userId}`,
  addUser: '/users/add',
  invitations: '/users/invitations',
  invitation: (invitationId: number) => `/users/invitations/${invitationId}`,
  confirmDeleteInvitation: (invitationId: number) => `/users/invitations?confirm=delete-invitation:${invitationId}`,
  forgotPassword: '/forgot-password',
  scan: '/ocr',
  scanForAircraft: (aircraftId: number) => `/ocr?aircraftId=${aircraftId}`,
  saveScannedReading: (scanId: number) => `/ocr/${scanId}/save`,
  scanHistory: '/ocr/history',
  checkOut: '/flight-log',
  checkOutStep: (step: number) => `/flight-log?step=${step}`,
  readMeters: (aircraftId: number) => `/flight-log?step=1&aircraftId=${aircraftId}`,
  checkOutWithoutNetwork: '/flight-log/offline',
  drafts: '/drafts',
  draft: (form: string) => withQuery('/drafts', { form }),
  flightLogs: '/flight-logs',
  ownFlights: '/flight-logs/own',
  enterPastFlight: '/flight-logs/new',
  closeFlight: (flightLogId: number) => `/flight-logs/${flightLogId}/close`,
  cancelCheckOut: (flightLogId: number) => `/flight-logs/${flightLogId}/cancel`,
  correctFlight: (flightLogId: number) => `/flight-logs/${flightLogId}/correct`,
  flightLogsPage: (at: FlightLogsQuery) => withQuery('/flight-logs', { ...at }),
  checkIn: (flightLogId: number) => `/flight-log/${flightLogId}/post-check`,
  schoolSettings: '/school-settings',
  imports: '/school-settings/import',
  importsAction: '/school-settings/import?index',
  import: (importId: number) => `/school-settings/import/${importId}`,
  confirmUndoImport: (importId: number) => `/school-settings/import/${importId}?confirm=undo`,
  importTemplate: (file: string) => `/api/imports/templates/${file}`,
  refusedRows: (importId: number) => `/api/imports/${importId}/refused`,
  webhooks: '/school-settings/webhooks',
  addWebhook: '/school-settings/webhooks/add',
  webhook: (webhookId: number) => `/school-settings/webhooks/${webhookId}`,
  confirmRemoveWebhook: (webhookId: number) => `/school-settings/webhooks/${webhookId}?confirm=remove`,
  exportSchool: '/school-settings/export',
  removeSchool: '/school-settings/delete',
  exportFile: '/api/export',
  ownData: '/account/data',
  activity: '/activity',
  exportActivity: (at: ActivityPageQuery) => withQuery('/api/activity/export', { ...at }),
  exportFlightLogs: (filter: FlightFilterQuery) => withQuery('/api/flight-logs/export', { ...filter }),
  exportFlightSheet: (filter: FlightFilterQuery) => withQuery('/api/flight-logs/export.xlsx', { ...filter }),
  hours: (at: HoursQuery) => withQuery('/flight-logs/hours', { ...at }),
  exportHours: (at: HoursQuery) => withQuery('/api/flight-logs/hours/export', { ...at }),
  exportHoursSheet: (at: HoursQuery) => withQuery('/api/flight-logs/hours/export.xlsx', { ...at }),
  analyzeImage: '/api/analyze-image',
  noNetwork: '/offline',
  deviceWorker: '/sw.js',
  deviceKeys: '/unsent/keys',
  sendUnsent: '/unsent/send',
} as const;

/** Keys of the forms that a device without a network shows: what is kept of them, and ends with the flight. */
export const OFFLINE_CHECK_OUT_FORM_KEY = `${paths.checkOutWithoutNetwork}#check-out`;
export const OFFLINE_CHECK_IN_FORM_KEY = `${paths.checkOutWithoutNetwork}#check-in`;

interface UsersQuery {
  q?: string | undefined;
  after?: string | undefined;
  person?: string | undefined;
}

/** Addresses that only the server writes: scripts go without them. */
export const serverOnlyPaths = {
  loginCode: (to: string) => (to === '/' ? '/login/code' : `/login/code?${new URLSearchParams({ to })}`),
  auth: '/auth',
  aircraftCodesAfter: (tailNumber: string) => withQuery('/airplanes/qr', { after: tailNumber }),
  contract: '/api/openapi.json',
  scanResult: (aircraftId: number, scanId: number) => `/ocr?aircraftId=${aircraftId}&scan=${scanId}`,
  checkOutAircraft: (aircraftId: number) => `/flight-log?aircraftId=${aircraftId}`,
  signIn: (to: string) => (to === '/' ? '/login' : `/login?${new URLSearchParams({ to })}`),
  usersFound: (at: UsersQuery) => withQuery('/users', { ...at }),
  userRow: (userId: number) => `/users?person=${userId}#user-${userId}`,
  register: (token: string) => withQuery('/register', { token }),
  resetPassword: (token: string) => withQuery('/reset-password', { token }),
  webhookLog: (webhookId: number, after: number) => withQuery(`/school-settings/webhooks/${webhookId}`, { after }),
  activityPage: (at: ActivityPageQuery) => withQuery('/activity', { ...at }),
  photo: (photoId: number) => `/photos/${photoId}`,
  securityTxt: '/.well-known/security.txt',
  /** Path of the check-in for the pilot's own flight, whichever it is. */
  ownCheckIn: '/flight-log?check-in=own',
} as const;

function withQuery(path: string, query: Record<string, string | number | undefined>): string {
  const entries = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries)}`;
}

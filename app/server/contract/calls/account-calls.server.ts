import { type Call, get, post, put, remove } from '../call.ts';
import { ANSWERS, BODIES } from '../schemas.server.ts';

export const accountCalls: Call[] = [
  post('/api/login', 'signIn', {
    summary: 'Sign in; the session is a cookie. With a second factor 401 asks for its code, to be sent with the rest',
    isPublic: true,
    body: BODIES.SignIn,
    example: { username: 'ida', password: 'gull-9-harbour' },
    response: ANSWERS.Account,
    errorStatuses: [429, 503],
  }),
  post('/api/logout', 'signOut', {
    summary: 'End the session',
    isPublic: true,
    response: ANSWERS.Nothing,
  }),
  get('/api/user', 'getAccount', { summary: 'Who is signed in', response: ANSWERS.Account }),
  get('/api/flight-school', 'getSchool', {
    summary: 'The school',
    response: ANSWERS.School,
    errorStatuses: [404],
  }),
  put('/api/flight-school', 'saveSchool', {
    summary: 'Change the school, or create it',
    body: BODIES.SchoolChange,
    example: { name: 'Cascade Aviation', address: '2 Field Road', phone: '555 0100' },
    response: ANSWERS.School,
    errorStatuses: [403, 422],
  }),
  post('/api/export', 'exportSchool', {
    summary: 'Everything of the school as one zip; with a session it takes the password, with an access token no body',
    body: BODIES.Export,
    example: { password: 'gull-9-harbour' },
    file: 'zip',
    errorStatuses: [403, 429, 503],
  }),
  get('/api/export', 'downloadSchool', {
    scope: 'manage',
    summary: 'The same, with an access token, or soon after the password was entered on /school-settings/export',
    file: 'zip',
    errorStatuses: [403, 429, 503],
  }),
  get('/api/activity/export', 'exportActivity', {
    summary: 'Who did what, as a CSV file',
    query: {
      person: 'Only what this user did, or what was done to them',
      kind: 'Only this kind, or group of kinds',
      from: "The first day, in the school's time zone",
      to: 'The last day',
    },
    errorStatuses: [403, 503],
  }),
  get('/api/tokens', 'listAccessTokens', {
    summary: "One's own access tokens, without what they are",
    response: ANSWERS.AccessTokens,
  }),
  remove('/api/tokens/{id}', 'endAccessToken', {
    summary: "End one of one's own access tokens; by a session only soon after the password was entered",
    response: ANSWERS.Nothing,
    errorStatuses: [404, 409, 422],
  }),
  post('/api/imports', 'importFile', {
    summary: 'Import a file, all of it or nothing; with preview, only what it would do',
    body: BODIES.NewImport,
    example: { file: 'fleet.csv', kind: 'fleet' },
    multipart: true,
    response: ANSWERS.ImportOrPreview,
    errorStatuses: [403, 409, 422, 429],
  }),
  get('/api/imports/{id}', 'getImport', {
    summary: 'An import, and how far it is',
    response: ANSWERS.Import,
    errorStatuses: [403, 404],
  }),
  get('/api/imports/{id}/refused', 'exportRefusedRows', {
    summary: 'Every refused row of a file that waits to be imported, and why, as a CSV file',
    errorStatuses: [403, 404, 409],
  }),
  get('/api/imports/templates/{file}', 'getImportTemplate', {
    summary: "The columns of a file to import, with one row as an example: 'flights.csv', 'people.xlsx'",
    errorStatuses: [403, 404],
  }),
];

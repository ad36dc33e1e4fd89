import { type Act, ofStudent } from './acts.ts';
import { aircraft, settings } from './scene.ts';

/** What administrators may do, and what follows from it. */
export const PRIVILEGED_ACTS: Act[] = [
  [
    'adding a user by the form',
    'added user',
    (s) => s.post('/users/add', s.newUser('student')),
    (s) => `User new-${s.schoolId} added`,
  ],
  [
    'adding an administrator by a call',
    'people',
    (s) => s.call('POST', '/api/register', s.newUser('administrator')),
    (s) => `User new-${s.schoolId} added`,
  ],
  [
    'deleting a user',
    'deleted user',
    (s) => s.call('DELETE', `/api/users/${s.people.student.id}`),
    ofStudent((name) => `User ${name} deleted`),
  ],
  [
    'sending a password link',
    'sent password link',
    (s) => s.post('/users?index', { intent: 'send-password-link', userId: String(s.people.student.id) }),
    ofStudent((name) => `Link for a new password sent to ${name}`),
  ],
  [
    'choosing a password by a link',
    'set password by link',
    (s) => s.choosePassword(),
    ofStudent((name) => `${name} chose a new password`),
    'student',
  ],
  [
    'inviting',
    'sent invitation',
    (s) => s.call('POST', '/api/invitations', { name: 'Ben', email: 'ben@mail.example', role: 'student' }),
    'Invitation sent to ben@mail.example',
  ],
  [
    'inviting again',
    'sent invitation again',
    async (s) =>
      s.post('/users/invitations', { intent: 'resend-invitation', invitationId: String((await s.invitation()).id) }),
    'Invitation sent again to ben@mail.example',
  ],
  [
    'deleting an invitation',
    'invitations',
    async (s) => s.call('DELETE', `/api/invitations/${(await s.invitation()).id}`),
    'Invitation of ben@mail.example deleted',
  ],
  ['adding an aircraft', 'added aircraft', (s) => s.post('/airplanes/add', aircraft), 'Aircraft N46FL added'],
  [
    'deleting an aircraft',
    'deleted aircraft',
    async (s) => s.call('DELETE', `/api/aircraft/${await s.plane()}`),
    'Aircraft N46FL deleted',
  ],
  [
    'grounding an aircraft',
    'set to maintenance',
    async (s) => s.call('PUT', `/api/aircraft/${await s.plane()}/status`, { status: 'maintenance' }),
    'Aircraft N46FL set to maintenance',
  ],
  [
    'making an aircraft available',
    'aircraft',
    async (s) =>
      s.call('PUT', `/api/aircraft/${await s.plane({ maintenance_since: new Date() })}/status`, { status: null }),
    'Aircraft N46FL marked as available',
  ],
  [
    'saving a last reading',
    'saved last reading',
    (s) => s.saveReading(),
    'Last reading of N46FL saved Hobbs 200.0 → 201.5',
  ],
  [
    'closing a flight on behalf',
    'closed flight on behalf',
    async (s) =>
      s.post(`/flight-logs/${await s.flight()}/close`, { endHobbsTime: '101.2', endTachTime: '91.0', reason: 'Left' }),
    'closed on behalf of its pilot End Hobbs 101.2 End tach 91.0 Reason: Left',
  ],
  [
    'cancelling a check-out',
    'cancelled check-out',
    async (s) => s.post(`/flight-logs/${await s.flight()}/cancel`, { reason: 'Fog' }),
    'cancelled Reason: Fog',
  ],
  ['correcting readings', 'flights', (s) => s.correct(), 'corrected End Hobbs 101.2 → 101.4 Reason: Misread'],
  [
    'exporting flight logs',
    'exported flight logs',
    (s) => s.open('/api/flight-logs/export'),
    'All flight logs exported',
  ],
  ['exporting the activity', 'exports', (s) => s.open('/api/activity/export'), 'Activity exported'],
  [
    'saving the settings',
    'saved school settings',
    (s) => s.post('/school-settings', settings),
    'School settings saved Name Cascade Flight School → Sound Aviation',
  ],
];

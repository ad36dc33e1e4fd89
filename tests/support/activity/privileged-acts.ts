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
    "changing a user's role",
    'changed user',
    (s) => s.call('PATCH', `/api/users/${s.people.student.id}`, { role: 'instructor', name: 'Sam Berg' }),
    ofStudent((name) => `User ${name} changed Role student → instructor Name none → Sam Berg`),
  ],
  [
    'bringing a former user back',
    'brought user back',
    async (s) => {
      await s.call('DELETE', `/api/users/${s.people.student.id}`);
      await s.call('POST', '/api/register', {
        ...s.newUser('student'),
        email: s.people.student.email,
        samePerson: true,
      });
    },
    (s) => `Former user new-${s.schoolId} brought back`,
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
    'changing an invitation',
    'changed invitation',
    async (s) => s.call('PATCH', `/api/invitations/${(await s.invitation()).id}`, { role: 'instructor' }),
    'Invitation of ben@mail.example changed and sent',
  ],
  [
    'adding a user who is invited',
    'ended invitation',
    async (s) => {
      const { email } = await s.invitation();
      await s.call('POST', '/api/register', { ...s.newUser('student'), email });
    },
    'Invitation of ben@mail.example ended: joined in another way',
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
    'making a link to a calendar',
    'made calendar link',
    async (s) => s.post(`/airplanes/${await s.plane()}/calendar`, { intent: 'make' }),
    'Link to the calendar of N46FL made',
  ],
  [
    'removing a link to a calendar',
    'removed calendar link',
    async (s) => {
      const path = `/airplanes/${await s.plane()}/calendar`;
      await s.post(path, { intent: 'make' });
      await s.post(path, { intent: 'remove' });
    },
    'Link to the calendar of N46FL removed',
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
  ['reporting a squawk', 'opened squawk', (s) => s.reportSquawk(), 'Squawk reported on N46FL Unsafe to fly yes'],
  [
    'deferring a squawk',
    'deferred squawk',
    (s) => s.changeSquawk({ state: 'deferred', until: { hobbs: '300.0' }, remark: 'Within limits' }),
    'Squawk on N46FL deferred State Open → Deferred Reason: Within limits',
  ],
  [
    'fixing a squawk',
    'squawks',
    (s) => s.changeSquawk({ state: 'fixed', remark: 'New pads' }),
    'Squawk on N46FL fixed State Open → Fixed Reason: New pads',
  ],
  [
    'withdrawing a squawk',
    'withdrew squawk',
    (s) => s.changeSquawk({ state: 'withdrawn' }),
    'Squawk on N46FL withdrawn State Open → Withdrawn',
  ],
  [
    'reopening a squawk',
    'reopened squawk',
    (s) => s.changeSquawk({ state: 'withdrawn' }, { state: 'open', remark: 'It is soft' }),
    'Squawk on N46FL reopened State Withdrawn → Open Reason: It is soft',
  ],
  [
    'adding an inspection',
    'added inspection',
    (s) => s.addInspection(),
    'Inspection of N46FL added Inspection 100 h Due tach 250.0 Every 100 h',
  ],
  [
    'changing an inspection',
    'changed inspection',
    (s) => s.changeInspection({ intent: 'save', name: 'Annual', dueAt: 'date', dueDate: '2027-03-31' }),
    'Inspection of N46FL changed Inspection 100 h → Annual Due tach 250.0 → 31 Mar 2027 Every 100 h → none',
  ],
  [
    'completing an inspection',
    'completed inspection',
    (s) => s.changeInspection({ intent: 'done', reading: '249.5', doneOn: '2026-05-12' }),
    'Inspection of N46FL done Inspection 100 h Due tach 250.0 → tach 349.5 Done at 249.5 Done on 2026-05-12',
  ],
  [
    'removing an inspection',
    'inspections',
    (s) => s.changeInspection({ intent: 'remove' }),
    'Inspection of N46FL removed Inspection 100 h Due tach 250.0 Every 100 h',
  ],
  [
    'exporting flight logs',
    'exported flight logs',
    (s) => s.open('/api/flight-logs/export'),
    'All flight logs exported',
  ],
  [
    'exporting hours',
    'exported hours',
    (s) => s.open('/api/flight-logs/hours/export?by=aircraft'),
    'Hours by aircraft exported',
  ],
  ['exporting the activity', 'exports', (s) => s.open('/api/activity/export'), 'Activity exported'],
  [
    'saving the settings',
    'saved school settings',
    (s) => s.post('/school-settings', settings),
    'School settings saved Name Cascade Flight School → Sound Aviation',
  ],
];

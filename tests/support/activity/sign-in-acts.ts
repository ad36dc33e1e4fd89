import { type Act, ofStudent } from './acts.ts';
import { tenTimes } from './scene.ts';
import { PASSWORD } from '../school.ts';

/** Sign-ins, lock-outs and log-outs. */
export const SIGN_IN_ACTS: Act[] = [
  [
    'a sign-in by the form',
    'signed in',
    (s) => s.signIn(PASSWORD),
    ofStudent((name) => `${name} signed in`),
    'student',
  ],
  [
    'a sign-in by a call',
    'sign-ins',
    (s) => s.signInByCall(PASSWORD),
    ofStudent((name) => `${name} signed in`),
    'student',
  ],
  [
    'a wrong password in the form',
    'failed to sign in',
    (s) => s.signIn('wrong!'),
    ofStudent((name) => `Sign-in as ${name} failed: wrong password`),
    'student',
  ],
  [
    'a wrong password in a call',
    'failed to sign in',
    (s) => s.signInByCall('wrong!'),
    ofStudent((name) => `Sign-in as ${name} failed: wrong password`),
    'student',
  ],
  [
    'a lock-out by the form',
    'locked out',
    async (s) => {
      await tenTimes(() => s.signIn('wrong!'));
      await s.signIn(PASSWORD);
    },
    ofStudent((name) => `Sign-in as ${name} refused: too many attempts`),
    'student',
  ],
  [
    'a lock-out by calls',
    'locked out',
    async (s) => {
      await tenTimes(() => s.signInByCall('wrong!'));
      await s.signInByCall(PASSWORD);
    },
    ofStudent((name) => `Sign-in as ${name} refused: too many attempts`),
    'student',
  ],
  [
    'a log-out by the form',
    'signed out',
    (s) => s.post('/logout', {}, 'student'),
    ofStudent((name) => `${name} signed out`),
    'student',
  ],
  [
    'a log-out by a call',
    'signed out',
    (s) => s.call('POST', '/api/logout', undefined, 'student'),
    ofStudent((name) => `${name} signed out`),
    'student',
  ],
];

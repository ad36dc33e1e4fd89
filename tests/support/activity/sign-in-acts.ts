import { type Act, ofStudent } from './acts.ts';
import { type ActivityScene, tenTimes } from './scene.ts';
import { PASSWORD } from '../school.ts';

const BY_FORM = {
  way: 'by the form',
  signIn: (s: ActivityScene, password: string) => s.signIn(password),
  signOut: (s: ActivityScene) => s.post('/logout', {}, 'student'),
};
const BY_CALL: typeof BY_FORM = {
  way: 'by a call',
  signIn: (s, password) => s.signInByCall(password),
  signOut: (s) => s.call('POST', '/api/logout', undefined, 'student'),
};

/** Sign-ins, lock-outs and log-outs. */
export const SIGN_IN_ACTS = [BY_FORM, BY_CALL].flatMap(({ way, signIn, signOut }): Act[] => {
  const act = (title: string, kind: string, does: Act[2], says: string): Act => [
    `${title} ${way}`,
    kind,
    does,
    ofStudent((name) => says.replace('NAME', name)),
    'student',
  ];
  const lockOut = async (s: ActivityScene) => {
    await tenTimes(() => signIn(s, 'wrong!'));
    await signIn(s, PASSWORD);
  };
  return [
    act('a sign-in', way === 'by a call' ? 'sign-ins' : 'signed in', (s) => signIn(s, PASSWORD), 'NAME signed in'),
    act('a wrong password', 'failed to sign in', (s) => signIn(s, 'wrong!'), 'Sign-in as NAME failed: wrong password'),
    act('a lock-out', 'locked out', lockOut, 'Sign-in as NAME refused: too many attempts'),
    act('a log-out', 'signed out', signOut, 'NAME signed out'),
  ];
});

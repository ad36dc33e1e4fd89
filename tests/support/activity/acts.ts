import type { Role } from '#db/roles.ts';
import type { ActivityScene } from './scene.ts';

/** An act, the kind to filter by, how it reads in the activity, and whose it is; an administrator's by default. */
export type Act = [
  title: string,
  kind: string,
  does: (scene: ActivityScene) => Promise<unknown>,
  says: string | ((scene: ActivityScene) => string),
  by?: Role,
];

export const ofStudent = (text: (name: string) => string) => (scene: ActivityScene) =>
  text(scene.people.student.username);

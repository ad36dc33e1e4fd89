import type { Db } from '#db/connect.server.ts';
import type { Member } from '#app/domain/actor.ts';
import { addUser, deleteUser } from '#app/domain/people/change-user.server.ts';

const PASSWORD = 'over the fence at dawn';

/** Twelve pilots; the day of the year on which each comes and goes. The tenth has the name of one who left. */
const STAYS = [
  ['anna', 'instructor', 0, 365],
  ['ben', 'student', 0, 120],
  ['carla', 'student', 0, 210],
  ['dmitri', 'student', 0, 365],
  ['eve', 'instructor', 30, 290],
  ['farid', 'student', 45, 160],
  ['grace', 'student', 90, 330],
  ['hugo', 'administrator', 100, 250],
  ['ines', 'student', 150, 365],
  ['ben', 'student', 180, 365],
  ['jonas', 'student', 200, 300],
  ['kim', 'student', 260, 365],
] as const;

export class Pilots {
  private readonly present = new Map<number, Member>();

  constructor(
    private readonly db: Db,
    private readonly administrator: Member,
  ) {}

  /** Those who come today are added, those who go deleted. */
  async comeAndGo(day: number): Promise<void> {
    for (const [index, [username, role, from, until]] of STAYS.entries()) {
      if (day === from) {
        const email = `${username}.${index}@school.example`;
        const account = await addUser(this.db, this.administrator, { username, email, role, password: PASSWORD });
        this.present.set(index, { ...this.administrator, id: account.id, username, email, role });
      }
      const pilot = this.present.get(index);
      if (day !== until || !pilot) continue;
      await deleteUser(this.db, this.administrator, pilot.id);
      this.present.delete(index);
    }
  }

  now(): Member[] {
    return [...this.present.values()];
  }
}

import type { Db } from '#db/connect.server.ts';
import type { NewRow } from '#db/tables.ts';
import type { Role } from '#db/roles.ts';
import type { Member } from '#app/domain/actor.ts';
import { makeAircraft, makeSchool, makeUser } from '#tests/support/school.ts';

export interface Plane {
  id: number;
  tailNumber: string;
}

/** A school of a journey's own, with what stands in it before the journey begins. */
export interface School {
  id: number;
  user(role: Role, username?: string): Promise<Member>;
  /** An available Cessna 172S of 2004 unless told otherwise. */
  aircraft(columns?: Partial<NewRow<'aircraft'>>): Promise<Plane>;
  /** A flight from 1234.5 Hobbs and 987.6 tach; its id. Open unless end readings and a completion are given. */
  flight(pilot: Member, aircraft: Plane, columns?: Partial<NewRow<'flight_logs'>>): Promise<number>;
}

export async function newSchool(db: Db): Promise<School> {
  const id = await makeSchool(db);
  let planes = 0;
  return {
    id,
    user: (role, username) => makeUser(db, id, role, username),
    aircraft: async (columns = {}) => {
      planes += 1;
      const tailNumber = columns.tail_number ?? `N${100 + planes}FL`;
      return { id: await makeAircraft(db, id, { tail_number: tailNumber, ...columns }), tailNumber };
    },
    flight: async (pilot, aircraft, columns = {}) => {
      const row = await db
        .insertInto('flight_logs')
        .values({
          school_id: id,
          aircraft_id: aircraft.id,
          user_id: pilot.id,
          start_hobbs: '1234.5',
          start_tach: '987.6',
          ...columns,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return row.id;
    },
  };
}

import type { Db } from '#db/connect.server.ts';
import type { Role } from '#db/roles.ts';
import type { Member } from '#app/domain/actor.ts';
import { makeFlight } from '#tests/support/flight.ts';
import type { Columns } from '#tests/support/rows.ts';
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
  aircraft(columns?: Columns<'aircraft'>): Promise<Plane>;
  /** A flight from 1234.5 Hobbs and 987.6 tach; its id. Open unless end readings and a completion are given. */
  flight(pilot: Member, aircraft: Plane, columns?: Columns<'flight_logs'>): Promise<number>;
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
    flight: (pilot, aircraft, columns) =>
      makeFlight(db, pilot, aircraft.id, { start_hobbs: '1234.5', start_tach: '987.6', ...columns }),
  };
}

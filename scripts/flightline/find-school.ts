import type { Db } from '#db/connect.server.ts';
import { StartupError } from '#db/startup-error.ts';
import { UsageError } from './command.ts';

/** Finds the school of this name, or the only one. Throws a UsageError where there are several. */
export async function findSchool(db: Db, name: string | undefined) {
  const schools = await db
    .selectFrom('schools')
    .select(['id', 'name', 'time_zone as timeZone'])
    .$if(name !== undefined, (query) => query.where('name', '=', name ?? ''))
    .orderBy('id')
    .limit(MANY)
    .execute();
  const [school, another] = schools;
  if (!school) throw new StartupError(name === undefined ? 'There is no school.' : `There is no school '${name}'.`);
  if (another)
    throw new UsageError(`Say which school, by --school: ${schools.map((each) => `'${each.name}'`).join(', ')}.`);
  return school;
}

const MANY = 10;

import type { Cut } from '../lab/statement-cutter.ts';
import { pick, type Random } from '../random.ts';

/** Where the connection is cut: at the statement of this number, from 1 on. */
export interface Place {
  number: number;
  where: Cut;
}

/** Before each; after those alone that leave something behind, since a cut in a transaction leaves nothing. */
export function placesOf(statements: readonly string[]): Place[] {
  let isInTransaction = false;
  return statements.flatMap((statement, index) => {
    const number = index + 1;
    const ends = /^(commit|rollback)/i.test(statement);
    if (/^begin/i.test(statement)) isInTransaction = true;
    else if (ends) isInTransaction = false;
    const leaves = /^commit/i.test(statement) || (!isInTransaction && /insert|update|delete/i.test(statement));
    const before: Place = { number, where: 'before' };
    return leaves ? [before, { number, where: 'after' }] : [before];
  });
}

export type ChoosePlaces = (places: Place[]) => Place[];

/** Both sides of what leaves something behind, and one more. */
export function samplePlaces(random: Random): ChoosePlaces {
  return (places) => {
    const leaving = new Set(places.filter(({ where }) => where === 'after').map(({ number }) => number));
    const others = places.filter(({ number }) => !leaving.has(number));
    const chosen = others.length > 0 ? pick(random, others) : undefined;
    return places.filter((place) => leaving.has(place.number) || place === chosen);
  };
}

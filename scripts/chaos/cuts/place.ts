import type { Cut } from '../lab/statement-cutter.ts';
import { pick, type Random } from '../random.ts';

/** The place where the connection is cut: before or after the statement of this number, from 1 on. */
export interface Place {
  number: number;
  where: Cut;
}

/**
 * Returns a place before each statement, and after each that leaves something behind; inside a transaction nothing is
 * left.
 */
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

/** Chooses both sides of the statements that leave something behind, and one place more. */
export function samplePlaces(random: Random): ChoosePlaces {
  return (places) => {
    const leaving = new Set(places.filter(({ where }) => where === 'after').map(({ number }) => number));
    const others = places.filter(({ number }) => !leaving.has(number));
    const chosen = others.length > 0 ? pick(random, others) : undefined;
    return places.filter((place) => leaving.has(place.number) || place === chosen);
  };
}

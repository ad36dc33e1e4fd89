import { FLEET } from './rules/fleet.ts';
import { FLIGHTS } from './rules/flights.ts';
import { PEOPLE } from './rules/people.ts';
import { RECORD } from './rules/record.ts';
import type { Rule } from './rules/rule.ts';
import { TOLD } from './rules/told.ts';
import { WORK } from './rules/work.ts';

/** Every rule of the data by its name, in the order in which the doctor looks at them: what takes longest comes first. */
export const RULES: Record<string, Rule> = { ...WORK, ...RECORD, ...TOLD, ...FLIGHTS, ...FLEET, ...PEOPLE };

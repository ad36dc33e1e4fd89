import { FLEET_RULES } from './rules/fleet.ts';
import { FLIGHT_RULES } from './rules/flights.ts';
import { PEOPLE_RULES } from './rules/people.ts';
import { RECORD_RULES } from './rules/record.ts';
import type { Rule } from './rules/rule.ts';
import { MISSING_EVENT_RULES } from './rules/missing-events.ts';
import { WORK_RULES } from './rules/work.ts';

/** Every rule of the data by its name, in the order in which the doctor looks at them: what takes longest comes first. */
export const RULES: Record<string, Rule> = {
  ...WORK_RULES,
  ...RECORD_RULES,
  ...MISSING_EVENT_RULES,
  ...FLIGHT_RULES,
  ...FLEET_RULES,
  ...PEOPLE_RULES,
};

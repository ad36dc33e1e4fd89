import { GROUND_SCHOOL_TIMES } from '#app/domain/flights/schema.server.ts';

export const GROUND_SCHOOL_OPTIONS = GROUND_SCHOOL_TIMES.map((hours) => ({
  value: hours,
  label: hours === '1' ? '1 hour' : `${hours} hours`,
}));

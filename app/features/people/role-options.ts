import { ROLE_DEFINITIONS } from '#app/domain/roles.ts';

/** The roles as forms offer them. */
export const ROLE_OPTIONS = Object.entries(ROLE_DEFINITIONS).map(([value, { label }]) => ({ value, label }));

import { ROLE_DEFINITIONS } from '#app/domain/roles.ts';

export const ROLE_OPTIONS = Object.entries(ROLE_DEFINITIONS).map(([value, { label }]) => ({ value, label }));

/** Every role; app/domain/roles.ts says what each one is and may do. A new one needs a migration of the role CHECKs. */
export const ROLES = ['administrator', 'instructor', 'student'] as const;

/** The roles that run a school; one user of them has to stay. */
export const MANAGING_ROLES: readonly Role[] = ['administrator'];

export type Role = (typeof ROLES)[number];

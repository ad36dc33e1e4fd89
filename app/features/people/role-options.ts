import type { Role } from '#db/tables.ts';

const ROLE_LABELS: Record<Role, string> = {
  administrator: 'School Administrator',
  instructor: 'Instructor',
  student: 'Student',
};

export const ROLE_OPTIONS = Object.entries(ROLE_LABELS).map(([value, label]) => ({ value, label }));

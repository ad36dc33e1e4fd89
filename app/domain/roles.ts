import type { Role } from '#db/roles.ts';

/** Role of the user who creates a school. */
export const FOUNDING_ROLE: Role = 'administrator';
/** Role of a new user, unless another one is chosen. */
export const USUAL_ROLE: Role = 'student';

const CAPABILITIES = [
  'check out aircraft',
  'see all open flights',
  'export flight logs',
  'set aircraft status',
  'manage aircraft',
  'manage squawks',
  'manage inspections',
  'manage users',
  'manage invitations',
  'manage school',
  'save last readings',
  'lower last readings',
  'change meters',
  'close flights on behalf',
  'close any flight',
  'cancel any check-out',
  'correct any flight',
  'enter past flights',
  'see reading flags',
  'see activity',
  'see all hours',
] as const;

export type Capability = (typeof CAPABILITIES)[number];

interface RoleDefinition {
  label: string;
  badge: { text: string; tone: 'default' | 'secondary' | 'outline' };
  /** Words as in 'invites you to join as an instructor'. */
  phrase: string;
  canInstruct: boolean;
  capabilities: readonly Capability[];
}

export const ROLE_DEFINITIONS: Readonly<Record<Role, RoleDefinition>> = {
  administrator: {
    label: 'School Administrator',
    badge: { text: 'Administrator', tone: 'default' },
    phrase: 'an administrator',
    canInstruct: true,
    capabilities: CAPABILITIES,
  },
  instructor: {
    label: 'Instructor',
    badge: { text: 'Instructor', tone: 'secondary' },
    phrase: 'an instructor',
    canInstruct: true,
    capabilities: ['check out aircraft', 'save last readings', 'close flights on behalf'],
  },
  student: {
    label: 'Student',
    badge: { text: 'Student', tone: 'outline' },
    phrase: 'a student',
    canInstruct: false,
    capabilities: ['check out aircraft'],
  },
};

export const ROLE_OPTIONS = Object.entries(ROLE_DEFINITIONS).map(([value, { label }]) => ({ value, label }));

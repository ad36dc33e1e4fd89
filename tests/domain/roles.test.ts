import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { MANAGING_ROLES, ROLES } from '#db/roles.ts';
import { can } from '#app/domain/permissions.ts';
import { ROLE_DEFINITIONS } from '#app/domain/roles.ts';

it('forms offer the roles of the list, each under a label and a badge of its own, as specified (B218, B307)', () => {
  expect(Object.keys(ROLE_DEFINITIONS)).toEqual([...ROLES]);
  const { administrator, instructor, student } = ROLE_DEFINITIONS;
  const labels = [administrator.label, instructor.label, student.label];
  expect(labels).toEqual(['School Administrator', 'Instructor', 'Student']);
  const parts = ROLES.map((role) => ROLE_DEFINITIONS[role]).map(({ label, phrase, badge }) => [
    label,
    phrase,
    badge.text,
  ]);
  for (const part of [0, 1, 2]) expect(new Set(parts.map((each) => each[part])).size).toBe(ROLES.length);
});

it('the roles that SQL takes for administrators are those that may manage the school (B307)', () => {
  expect(MANAGING_ROLES).toEqual(ROLES.filter((role) => can(role, 'manage school')));
});

it('no file beside the lists asks for a role by its name (B307)', () => {
  const names = new RegExp(String.raw`\brole\b.*['"](${ROLES.join('|')})['"]`, 'i');
  const files = ['app', 'db'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => `${folder}/${file}`),
  );
  // The lists themselves, what a migration once allowed, the demo school, and examples of calls.
  const own = /^(db|app\/domain)\/roles\.ts$|^db\/(migrations|seed)|^app\/server\/contract\//;
  const found = files
    .filter((file) => /\.tsx?$/.test(file) && !own.test(file))
    .filter((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .some((line) => names.test(line)),
    );
  expect(found).toEqual([]);
});

it('administrators can do all, instructors check out, close for others and save readings, students check out (C33)', () => {
  const capabilities = ROLE_DEFINITIONS.administrator.capabilities;
  expect(capabilities).toEqual(
    expect.arrayContaining([
      'check out aircraft',
      'see all open flights',
      'export flight logs',
      'set aircraft status',
      'manage aircraft',
      'manage users',
      'manage invitations',
      'manage school',
      'save last readings',
      'lower last readings',
      'close flights on behalf',
      'cancel any check-out',
      'correct any flight',
      'see reading flags',
    ]),
  );
  expect(capabilities.filter((capability) => can('instructor', capability))).toEqual([
    'check out aircraft',
    'save last readings',
    'close flights on behalf',
  ]);
  expect(capabilities.filter((capability) => can('student', capability))).toEqual(['check out aircraft']);
});

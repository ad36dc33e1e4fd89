/** The three roles as forms offer them (spec §2). */
export const ROLE_OPTIONS = [
  { value: 'administrator', label: 'School Administrator' },
  { value: 'instructor', label: 'Instructor' },
  { value: 'student', label: 'Student' },
];

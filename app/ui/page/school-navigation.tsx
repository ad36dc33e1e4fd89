import { useLocation } from '@remix-run/react';
import { Link } from '#app/ui/link.tsx';
import { paths } from '#app/paths.ts';
import { useManagesSchool } from './screen.tsx';

const SECTIONS = [
  {
    label: 'Settings',
    to: paths.schoolSettings,
    section: /^\/school-settings(\/delete)?$/,
    text: 'Name, address and rules',
  },
  { label: 'Activity', to: paths.activity, section: /^\/activity/, text: 'Who did what, and when' },
  { label: 'Invitations', to: paths.invitations, section: /^\/users\/invitations/, text: 'Who is asked to join' },
  {
    label: 'Import',
    to: paths.imports,
    section: /^\/school-settings\/import/,
    text: 'Fleet, people and flights from files',
  },
  { label: 'Export', to: paths.exportSchool, section: /^\/school-settings\/export/, text: 'Everything in one file' },
  {
    label: 'Webhooks',
    to: paths.webhooks,
    section: /^\/school-settings\/webhooks/,
    text: 'Other systems that are told',
  },
];

/** Marks a route, as its `handle`, whose screen has this navigation: screens of other routes need not load it. */
export const handle = { navigation: <SchoolNavigation /> };

/** Leads from each page of the school to the others; its own page says what each is for. */
function SchoolNavigation() {
  const { pathname } = useLocation();
  if (!useManagesSchool()) return null;
  const isWhole = pathname === paths.school;
  return (
    <nav aria-label="School" className="school-nav" data-whole={isWhole || undefined}>
      <ul>
        {SECTIONS.map(({ label, to, section, text }) => (
          <li key={to}>
            <Link to={to} aria-current={pathname === to ? 'page' : section.test(pathname) || undefined}>
              {label}
            </Link>
            {isWhole && <span className="hint">{text}</span>}
          </li>
        ))}
      </ul>
    </nav>
  );
}

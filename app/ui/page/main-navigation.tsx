import { useLocation } from '@remix-run/react';
import { Link } from '#app/ui/link.tsx';
import { paths } from '#app/paths.ts';

/** Every role may read all of these pages but the school's, which are for administrators. */
const ENTRIES = [
  { label: 'Dashboard', to: paths.dashboard, section: /^\/(line)?$/ },
  { label: 'Logs', to: paths.flightLogs, section: /^\/flight-logs/ },
  { label: 'Fleet', to: paths.fleet, section: /^\/(airplanes|squawks|inspections)/ },
  { label: 'School', to: paths.school, section: /^\/(school|activity)/, isOfSchool: true },
  { label: 'Scan', to: paths.scan, section: /^\/ocr/ },
  { label: 'Users', to: paths.users, section: /^\/users/ },
  { label: 'Account', to: paths.account, section: /^\/account/ },
];

interface MainNavigationProps {
  /** Number of aircraft whose condition is grave. */
  toMaintain: number;
  managesSchool: boolean;
}

export function MainNavigation({ toMaintain, managesSchool }: MainNavigationProps) {
  const { pathname } = useLocation();
  return (
    <nav className="main-nav" aria-label="Main">
      <ul>
        {ENTRIES.filter(({ isOfSchool }) => !isOfSchool || managesSchool).map(({ label, to, section, isOfSchool }) => (
          <li key={to} data-school={isOfSchool}>
            <Link to={to} aria-current={pathname === to ? 'page' : section.test(pathname) || undefined}>
              {label}
              {to === paths.fleet && toMaintain > 0 && (
                <span className="nav-count">
                  {toMaintain}
                  <span className="visually-hidden"> in need of work</span>
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

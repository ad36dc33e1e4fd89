import { useLocation } from '@remix-run/react';
import { Link } from '#app/ui/link.tsx';
import { paths } from '#app/paths.ts';

/** Every role may read all of these pages. */
const ENTRIES = [
  { label: 'Dashboard', to: paths.dashboard, section: /^\/(line)?$/ },
  { label: 'Logs', to: paths.flightLogs, section: /^\/flight-logs/ },
  { label: 'Fleet', to: paths.fleet, section: /^\/(airplanes|squawks|inspections)/ },
  { label: 'Scan', to: paths.scan, section: /^\/ocr/ },
  { label: 'Users', to: paths.users, section: /^\/users/ },
  { label: 'Account', to: paths.account, section: /^\/account/ },
];

export function MainNavigation() {
  const { pathname } = useLocation();
  return (
    <nav className="main-nav" aria-label="Main">
      <ul>
        {ENTRIES.map(({ label, to, section }) => (
          <li key={to}>
            <Link to={to} aria-current={pathname === to ? 'page' : section.test(pathname) || undefined}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

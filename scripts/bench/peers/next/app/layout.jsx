import Link from 'next/link';

export const metadata = { title: 'Flight Logs' };

const NAVIGATION = [
  ['/', 'Dashboard'],
  ['/flight-logs', 'Logs'],
  ['/airplanes', 'Fleet'],
  ['/ocr', 'Scan'],
  ['/users', 'Users'],
  ['/account', 'Account'],
];

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <a className="skip-link" href="#main">
          Skip to main content
        </a>
        <header className="site-header">
          <Link className="site-header-link" href="/">
            Flightline
          </Link>
          <nav className="main-nav" aria-label="Main">
            <ul>
              {NAVIGATION.map(([href, text]) => (
                <li key={href}>
                  <Link href={href}>{text}</Link>
                </li>
              ))}
            </ul>
          </nav>
          <form method="post" action="/logout">
            <button type="submit" className="button">
              Logout
            </button>
          </form>
        </header>
        <main id="main" tabIndex={-1}>
          {children}
        </main>
      </body>
    </html>
  );
}

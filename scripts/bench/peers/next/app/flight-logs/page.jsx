import { headers } from 'next/headers';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { findUser } from '../../../shared/database.js';
import { loadListPage } from '../../../shared/list-page.js';
import { FilterForm } from './filter-form.jsx';
import { FlightRow } from './flight-row.jsx';

export const dynamic = 'force-dynamic';

const COLUMNS = ['Aircraft', 'Start Time', 'End Time', 'Duration', 'Instructor', 'Status'];

export default async function FlightLogs() {
  const user = await findUser((await headers()).get('cookie'));
  if (!user) redirect('/login');
  const { days, older, recentDays, sums, ...options } = await loadListPage(user);
  return (
    <>
      <Link className="back-link" href="/">
        Back to Dashboard
      </Link>
      <h1>Flight Logs</h1>
      <a download className="button" href="/api/flight-logs/export">
        Export CSV
      </a>
      <FilterForm {...options} />
      <RecentDays days={recentDays} />
      <Sums sums={sums} />
      <table className="table">
        <caption className="visually-hidden">Flight logs, newest first</caption>
        <thead>
          <tr>
            {COLUMNS.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        {days.map((day) => (
          <tbody key={day.title}>
            <tr className="group-title">
              <th scope="rowgroup" colSpan={COLUMNS.length}>
                {day.title} · <span className="group-sums">{day.sums}</span>
              </th>
            </tr>
            {day.logs.map((log) => (
              <FlightRow key={log.id} log={log} />
            ))}
          </tbody>
        ))}
      </table>
      {older && (
        <nav className="pager" aria-label="Pages">
          <Link rel="next" className="button" href={older}>
            Older
          </Link>
        </nav>
      )}
    </>
  );
}

function RecentDays({ days }) {
  return (
    <nav className="recent-days" aria-label="Days">
      <ul>
        {days.map(({ iso, weekday, date, day }) => (
          <li key={iso}>
            <Link aria-label={day} href={`/flight-logs?from=${iso}&to=${iso}`}>
              <span>{weekday}</span> <span>{date}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Sums({ sums: { flights, hobbs, tach, instructor, ground } }) {
  const figures = [
    ['Flights, last 14 days', flights],
    ['Hobbs', `${hobbs} h`],
    ['Tach', `${tach} h`],
    ['Instruction', `${instructor} h`],
    ['Ground', `${ground} h`],
  ];
  return (
    <div className="sums">
      <dl>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Link className="text-link" href="/flight-logs/hours">
        Hours by pilot
      </Link>
    </div>
  );
}

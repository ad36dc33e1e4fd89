import { headers } from 'next/headers';
import Link from 'next/link';
import { redirect } from 'next/navigation';
import { findUser } from '../../../shared/database.js';
import { loadListPage } from '../../../shared/list-page.js';

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
      <p className="log-links">
        <Link href="/flight-logs/own">Your Last Flights</Link>
        <Link href="/flight-logs/new">Enter a Past Flight</Link>
      </p>
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
            <Link href={`/flight-logs?from=${iso}&to=${iso}`}>
              <span>
                {weekday.slice(0, 2)}
                <span className="weekday-end">{weekday.slice(2)}</span>
              </span>{' '}
              <span>{date}</span>
              <span className="visually-hidden">{day.slice(`${weekday} ${date}`.length)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Sums({ sums: { flights, inProgress, hobbs, tach, instructor, ground } }) {
  const figures = [
    ['Flights, last 14 days', inProgress > 0 ? `${flights}, ${inProgress} in progress` : flights],
    ['Hobbs', `${hobbs} h`],
    ['Tach', `${tach} h`],
    ['Ground', `${ground} h`],
    ['Instruction', `${instructor} h`],
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
      <Link href="/flight-logs/hours">Hours by pilot</Link>
      <a download href="/api/flight-logs/export.xlsx">
        Excel
      </a>
    </div>
  );
}

function FilterForm({ aircraft, pilots, instructors }) {
  return (
    <form method="get" action="/flight-logs" className="filter-form">
      <Choice label="Aircraft" name="aircraftId" all="All Aircraft" options={aircraft} />
      <details className="fold">
        <summary>More filters</summary>
        <div>
          <Choice label="Pilot" name="pilotId" all="All Pilots" options={pilots.present} deleted={pilots.deleted} />
          <label>
            From <input type="date" name="from" />
          </label>
          <label>
            To <input type="date" name="to" />
          </label>
          <Choice label="Show" name="show" all="Flights" options={SHOWN} />
          <Choice
            label="Instructor"
            name="instructorId"
            all="All Instructors"
            options={instructors.present}
            deleted={instructors.deleted}
          />
          <Choice label="Status" name="status" all="All" options={STATUSES} />
          <label>
            Words in the squawks <input type="search" name="q" maxLength={100} />
          </label>
          <label>
            Changed since <input type="date" name="since" />
          </label>
        </div>
      </details>
      <button type="submit" className="button">
        Filter
      </button>
    </form>
  );
}

const SHOWN = [{ id: 'cancelled', name: 'Cancelled check-outs' }];

const STATUSES = [
  { id: 'completed', name: 'Completed' },
  { id: 'in_progress', name: 'In Progress' },
];

function Choice({ label, name, all, options, deleted = [] }) {
  const toOption = ({ id, name: text }) => (
    <option key={id} value={id}>
      {text}
    </option>
  );
  return (
    <label>
      {label}{' '}
      <select name={name}>
        <option value="">{all}</option>
        {options.map(toOption)}
        {deleted.length > 0 && <optgroup label="Deleted users">{deleted.map(toOption)}</optgroup>}
      </select>
    </label>
  );
}

function FlightRow({ log: { id, aircraftId, tailNumber, pilot, instructor, started, ended, hours } }) {
  return (
    <tr className="flight">
      <th scope="row">
        <Link className="above-row-link" href={`/airplanes/${aircraftId}`}>
          {tailNumber}
        </Link>{' '}
        <Link className="row-link" href={`/flight-logs?log=${id}`}>
          Details<span className="visually-hidden">{` of ${tailNumber}, ${started.text}`}</span>
        </Link>
        <span className="log-pilot">
          <span className="visually-hidden">, pilot </span>
          {pilot}
        </span>
      </th>
      <td data-label="Start Time">
        <time dateTime={started.at}>{started.time}</time>
      </td>
      <td data-label="End Time">{ended ? <time dateTime={ended.at}>{ended.time}</time> : 'In Progress'}</td>
      <td data-label="Duration">{hours ? `${hours} hours` : 'In Progress'}</td>
      <td data-label="Instructor">
        <span className="log-instructor">{instructor ?? '-'}</span>
      </td>
      <td data-label="Status">
        <span className="badge">{ended ? 'Completed' : 'In Progress'}</span>
      </td>
    </tr>
  );
}

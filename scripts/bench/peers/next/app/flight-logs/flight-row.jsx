import Link from 'next/link';

export function FlightRow({ log: { id, aircraftId, tailNumber, pilot, instructor, started, ended, hours } }) {
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

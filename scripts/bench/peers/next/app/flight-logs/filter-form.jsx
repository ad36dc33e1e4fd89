export function FilterForm({ aircraft, pilots, instructors }) {
  const people = (found) => found.map(({ id, username }) => ({ id, name: username }));
  return (
    <form method="get" action="/flight-logs" className="filter-form">
      <Choice label="Aircraft" name="aircraftId" all="All Aircraft" options={aircraft} />
      <Choice label="Pilot" name="pilotId" all="All Pilots" options={people(pilots)} />
      <Choice label="Show" name="show" all="Flights" options={SHOWN} />
      <Choice label="Instructor" name="instructorId" all="All Instructors" options={people(instructors)} />
      <label>
        From <input type="date" name="from" />
      </label>
      <label>
        To <input type="date" name="to" />
      </label>
      <Choice label="Status" name="status" all="All" options={STATUSES} />
      <label>
        Words in the squawks <input type="search" name="q" maxLength={100} />
      </label>
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

function Choice({ label, name, all, options }) {
  return (
    <label>
      {label}{' '}
      <select name={name}>
        <option value="">{all}</option>
        {options.map((option) => (
          <option key={option.id} value={option.id}>
            {option.name}
          </option>
        ))}
      </select>
    </label>
  );
}

import { findRows } from './database.js';

const PAGE_ROWS = 50;
const RECENT_DAYS = 14;
const DAY_MS = 86_400_000;

/** Returns what the product's list of flights shows, from the same rows. */
export async function loadListPage({ time_zone: timeZone }) {
  const results = await findRows('/flight-logs');
  const rowsWith = (column) => results.find(([row]) => row !== undefined && column in row) ?? [];
  const found = rowsWith('instructor_username');
  const logs = found.slice(0, PAGE_ROWS).map((row) => toLog(row, timeZone));
  const last = found[PAGE_ROWS - 1];
  const [{ fleet, people }] = rowsWith('fleet');
  const [{ days, ...sums }] = rowsWith('days');
  return {
    aircraft: fleet.map(({ id, tailNumber: name }) => ({ id, name })),
    pilots: groupsOf(people.filter(({ canFly }) => canFly)),
    instructors: groupsOf(people.filter(({ canInstruct }) => canInstruct)),
    sums,
    recentDays: Array.from({ length: RECENT_DAYS }, (_, ago) => clockOf(new Date(Date.now() - ago * DAY_MS), timeZone)),
    days: groupByDay(logs, days),
    older:
      found.length > PAGE_ROWS
        ? `/flight-logs?after=${encodeURIComponent(`${last.createdAt.toISOString()}_${last.id}`)}`
        : null,
  };
}

/** Lists who is deleted at the end, in a group. */
function groupsOf(people) {
  const options = (deleted) =>
    people.filter(({ isDeleted }) => isDeleted === deleted).map(({ id, username: name }) => ({ id, name }));
  return { present: options(false), deleted: options(true) };
}

function toLog({ id, aircraft_id, tail_number, username, instructor_username, createdAt, completedAt }, timeZone) {
  const started = clockOf(createdAt, timeZone);
  const ended = completedAt && clockOf(completedAt, timeZone);
  const days = ended ? (Date.parse(ended.iso) - Date.parse(started.iso)) / DAY_MS : 0;
  return {
    id,
    aircraftId: aircraft_id,
    tailNumber: tail_number,
    pilot: username,
    instructor: instructor_username,
    started,
    ended: ended && { ...ended, time: days > 0 ? `${ended.time} +${days} d` : ended.time },
    hours: completedAt && ((completedAt - createdAt) / 3_600_000).toFixed(1),
  };
}

function groupByDay(logs, sums) {
  const days = new Map();
  for (const log of logs) {
    const { iso, day, zone } = log.started;
    if (!days.has(iso)) {
      const { flights, hobbs } = sums.find((sum) => sum.day === iso) ?? { flights: 0, hobbs: '0.00' };
      days.set(iso, {
        title: `${day}, ${zone}`,
        sums: `${flights} flights · ${Number(hobbs).toFixed(1)} h Hobbs`,
        logs: [],
      });
    }
    days.get(iso).logs.push(log);
  }
  return [...days.values()];
}

const formatters = new Map();

/** Formats all that is shown of an instant with one formatter, in one call. */
function clockOf(date, timeZone) {
  if (!formatters.has(timeZone)) formatters.set(timeZone, newFormatter(timeZone));
  const parts = {};
  for (const { type, value } of formatters.get(timeZone).formatToParts(date)) parts[type] = value;
  const { weekday, day, month, year, hour, minute, timeZoneName: zone } = parts;
  const monthNumber = String(MONTHS.indexOf(month) + 1).padStart(2, '0');
  return {
    iso: `${year}-${monthNumber}-${day.padStart(2, '0')}`,
    at: date.toISOString(),
    weekday,
    date: day,
    day: `${weekday} ${day} ${month} ${year}`,
    time: `${hour}:${minute}`,
    text: `${day} ${month} ${year}, ${hour}:${minute} ${zone}`,
    zone,
  };
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

function newFormatter(timeZone) {
  return new Intl.DateTimeFormat('en-US', {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
}

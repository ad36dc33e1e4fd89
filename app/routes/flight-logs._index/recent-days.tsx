import { Link } from '#app/ui/link.tsx';
import { type FlightFilterQuery, paths } from '#app/paths.ts';

interface RecentDaysProps {
  days: { day: string; weekday: string; date: string; text: string }[];
  filter: FlightFilterQuery;
}

export function RecentDays({ days, filter }: RecentDaysProps) {
  return (
    <nav className="recent-days" aria-label="Days">
      <ul>
        {days.map(({ day, weekday, date, text }) => (
          <li key={day}>
            <Link
              to={paths.flightLogsPage({ ...filter, from: day, to: day })}
              aria-current={filter.from === day && filter.to === day ? 'date' : undefined}
            >
              <span>
                {weekday.slice(0, 2)}
                <span className="weekday-end">{weekday.slice(2)}</span>
              </span>{' '}
              <span>{date}</span>
              <span className="visually-hidden">{text.slice(`${weekday} ${date}`.length)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

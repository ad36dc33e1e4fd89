import { env } from '#app/env.server.ts';
import { paths } from '#app/paths.ts';
import { formatDateTime } from '../format.server.ts';
import type { EmailContent } from './email.server.ts';

interface ForgottenFlight {
  id: number;
  username: string;
  tail_number: string;
  school: string;
  created_at: Date;
  time_zone: string;
}

export function forgottenCheckInEmail(flight: ForgottenFlight): EmailContent {
  const checkedOut = formatDateTime(flight.created_at, flight.time_zone).text;
  return {
    subject: `Is your flight in ${flight.tail_number} over?`,
    before: [
      `Hello ${flight.username},`,
      `you checked out ${flight.tail_number} of ${flight.school} on ${checkedOut} and have not checked it in. Until you do, nobody else can check it out.`,
    ],
    link: { label: 'Check it in', url: env.APP_URL + paths.checkIn(flight.id) },
    after: ['The check-in asks when the flight ended. If it never took place, cancel the check-out there.'],
  };
}

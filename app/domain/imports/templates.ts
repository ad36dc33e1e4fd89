import { USUAL_ROLE } from '../roles.ts';
import type { ImportKind } from './records.ts';

/** The columns of a file of each kind, each with a cell of one row as an example. */
export const TEMPLATES: Record<ImportKind, Record<string, string>> = {
  fleet: {
    ...{ 'Tail number': 'N512FL', Make: 'Cessna', Model: '172S', Year: '2004' },
    ...{ Status: 'available', 'Last Hobbs': '1234.5', 'Last tach': '1100.2' },
  },
  people: {
    ...{ Name: 'Alex Rivera', Email: 'alex.rivera@example.com', Role: USUAL_ROLE, Username: 'alex', Status: 'active' },
  },
  flights: {
    ...{ Aircraft: 'N512FL', Pilot: 'alex.rivera@example.com', Instructor: 'Ivan Petrov' },
    ...{ Start: '2026-05-12 09:05', End: '2026-05-12 10:35' },
    ...{ 'Start Hobbs': '1234.5', 'End Hobbs': '1235.9', 'Start tach': '1100.2', 'End tach': '1101.3' },
    ...{ 'Instructor in': '08:45', 'Instructor out': '10:50', 'Ground school hours': '0.5' },
    ...{ Refueled: 'yes', 'Oil quarts': '1', Notes: 'Pattern work' },
  },
  squawks: {
    ...{ Aircraft: 'N512FL', Squawk: 'Left brake is soft', 'Reported by': 'Ivan Petrov', Reported: '2026-05-12' },
    ...{ State: 'open', 'Unsafe to fly': 'no', Resolution: '' },
  },
  inspections: {
    ...{ Aircraft: 'N512FL', Inspection: 'Annual', 'Due date': '2027-05-31', 'Due at Hobbs': '', 'Due at tach': '' },
    ...{ Interval: '12 months' },
  },
};

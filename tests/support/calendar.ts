/** An event by the name of each property, and the parameters of its start. */
type CalendarEvent = Record<string, string>;

interface Calendar {
  properties: Record<string, string>;
  events: CalendarEvent[];
}

/** Reads a calendar as RFC 5545 has it; throws where its lines, its nesting or an event are not as the RFC asks. */
export function readCalendar(file: string): Calendar {
  const lines = unfold(file);
  if (lines[0] !== 'BEGIN:VCALENDAR' || lines.at(-1) !== 'END:VCALENDAR') throw new Error('is no calendar');
  const calendar: Calendar = { properties: {}, events: [] };
  let open: CalendarEvent | undefined;
  for (const line of lines.slice(1, -1)) {
    const [, name = '', parameters = '', value = ''] = /^([A-Z-]+)((?:;[A-Z-]+=[^:;"]+)*):(.*)$/.exec(line) ?? [];
    if (name === '') throw new Error(`is no line of a calendar: ${line}`);
    if (name === 'BEGIN' && value === 'VEVENT' && !open) open = {};
    else if (name === 'END' && value === 'VEVENT' && open) {
      calendar.events.push(checked(open));
      open = undefined;
    } else {
      const holder = open ?? calendar.properties;
      if (name in holder) throw new Error(`${name} stands there twice`);
      holder[name] = /^(SUMMARY|DESCRIPTION|NAME|X-WR-CALNAME)$/.test(name) ? unescape(value) : value;
      if (name === 'DTSTART') holder['DTSTART;'] = parameters;
    }
  }
  if (open) throw new Error('an event does not end');
  for (const name of ['VERSION', 'PRODID']) if (!calendar.properties[name]) throw new Error(`has no ${name}`);
  return calendar;
}

function unfold(file: string): string[] {
  if (!file.endsWith('\r\n') || /[^\r]\n|\r[^\n]/.test(file)) throw new Error('a line does not end with CRLF');
  const physical = file.slice(0, -2).split('\r\n');
  const long = physical.find((line) => Buffer.byteLength(line) > 75);
  if (long !== undefined) throw new Error(`is longer than 75 octets: ${long}`);
  return physical.join('\r\n').replaceAll('\r\n ', '').split('\r\n');
}

function unescape(value: string): string {
  if (/(?<!\\)(?:\\\\)*[;,]/.test(value)) throw new Error(`is not escaped: ${value}`);
  return value.replace(/\\([\\;,nN])/g, (_, escaped: string) => (escaped.toLowerCase() === 'n' ? '\n' : escaped));
}

function checked(event: CalendarEvent): CalendarEvent {
  for (const name of ['UID', 'DTSTAMP', 'DTSTART', 'SEQUENCE', 'LAST-MODIFIED']) {
    if (!event[name]) throw new Error(`an event has no ${name}`);
  }
  const { DTSTART: start = '', DTEND: end, 'DTSTART;': parameters } = event;
  const form = parameters === ';VALUE=DATE' ? /^\d{8}$/ : /^\d{8}T\d{6}Z$/;
  if (!form.test(start) || (end !== undefined && !form.test(end)))
    throw new Error(`has no such time: ${start}, ${end}`);
  if (end !== undefined && end <= start) throw new Error(`ends before it begins: ${start}, ${end}`);
  return event;
}

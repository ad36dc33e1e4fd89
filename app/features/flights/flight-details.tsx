import { Link } from '#app/ui/link.tsx';
import { paths } from '#app/paths.ts';
import type { FlightDetails, InstructionDetails } from './flight-details.server.ts';
import { AircraftBadges, GROUNDED_ON_RETURN } from '../aircraft/aircraft-badge.tsx';
import { SquawkList } from '../squawks/squawk-list.tsx';
import { MeterTape, IN_PROGRESS } from './flight-tapes.tsx';
import { Badge, type DescriptionItem, DescriptionList, DateTime, Notice } from '#app/ui/elements.tsx';
import { PhotoLink } from '#app/ui/thumbnail.tsx';

/** Shows a flight in its dialog, below a heading of the second level, and on its page, below the first. */
export function FlightFacts({ flight, headingLevel }: { flight: FlightDetails; headingLevel: 2 | 3 }) {
  const Heading = `h${headingLevel}` as const;
  return (
    <div className="flight-facts">
      <DescriptionList
        items={[
          {
            term: 'Aircraft',
            detail: (
              <>
                <Link to={paths.aircraft(flight.aircraftId)}>{flight.tailNumber}</Link>, {flight.makeAndModel}{' '}
                {flight.aircraftState && (
                  <>
                    <span className="hint">now</span> <AircraftBadges {...flight.aircraftState} />
                    {flight.aircraftState.groundedOnReturn && ` ${GROUNDED_ON_RETURN}`}
                  </>
                )}
              </>
            ),
          },
          { term: 'Pilot', detail: flight.pilot.username },
          { term: 'Contact Email', detail: <EmailLink address={flight.pilot.email} /> },
          { term: 'Started', detail: <DateTime value={flight.started} /> },
          { term: 'Completed', detail: flight.completed ? <DateTime value={flight.completed} /> : IN_PROGRESS },
          { term: 'Duration', detail: flight.clockHours && `${flight.clockHours} hours` },
          ...trueTimeItems(flight.statedTimes),
          { term: 'Source', detail: flight.imported },
          {
            term: 'Close on behalf',
            detail: flight.closableFrom && (
              <>
                An administrator now, an instructor from <DateTime value={flight.closableFrom} />
              </>
            ),
          },
          { term: 'Closed by', detail: flight.closed && `${flight.closed.by}: ${flight.closed.reason}` },
        ]}
      />
      <Heading>Meters</Heading>
      <MeterTape name="Hobbs" meter={flight.hobbs} />
      <MeterTape name="Tach" meter={flight.tach} />
      {flight.entryNote && <p className="user-text">{flight.entryNote}</p>}
      {flight.revisions.length > 0 && <Corrections revisions={flight.revisions} />}
      {flight.readingNotes.length > 0 && (
        <Notice tone="caution">
          {flight.readingNotes.map((note) => (
            <p key={note}>{note}</p>
          ))}
        </Notice>
      )}
      {(flight.instruction ?? flight.groundSchoolTime) && (
        <>
          <Heading>Instructor Details</Heading>
          <DescriptionList items={instructionItems(flight.instruction, flight.groundSchoolTime)} />
        </>
      )}
      <Heading>Fuel &amp; Oil</Heading>
      <FuelRecords records={flight.fuelRecords} />
      <Heading>Squawks</Heading>
      {flight.notes !== flight.squawk?.text && (
        <p className="user-text">{flight.notes === '' ? 'None' : flight.notes}</p>
      )}
      {flight.squawk && <SquawkList squawks={[flight.squawk]} />}
      <Heading>Flights before and after</Heading>
      <ul className="flight-neighbours">
        <Neighbour label="Before" flight={flight.neighbours.previous} />
        <Neighbour label="After" flight={flight.neighbours.next} />
      </ul>
    </div>
  );
}

function Neighbour({ label, flight }: { label: string; flight: FlightDetails['neighbours']['next'] }) {
  if (!flight) return <li>{`${label}: none`}</li>;
  return (
    <li>
      {label}: <Link to={paths.flightPage(flight.id)}>{`#${flight.id}`}</Link>, <DateTime value={flight.started} />
      {flight.marks.length === 0 && ' '}
      {flight.marks.length === 0 && <span className="hint">No gaps in the readings.</span>}
      {flight.marks.map((mark) => (
        <p key={mark} className="inline-note" data-tone="caution">
          {mark}
        </p>
      ))}
    </li>
  );
}

function trueTimeItems(times: FlightDetails['statedTimes']): DescriptionItem[] {
  if (!times) return [];
  const { departed, landed, blockHours } = times;
  return [
    { term: 'Departed', detail: <DateTime value={departed} /> },
    { term: 'Landed', detail: landed ? <DateTime value={landed} /> : IN_PROGRESS },
    { term: 'Block Hours', detail: blockHours && `${blockHours} hours` },
  ];
}

function Corrections({ revisions }: { revisions: FlightDetails['revisions'] }) {
  return (
    <>
      <Badge tone="medium">Corrected</Badge>
      <ul className="note-list">
        {revisions.map(({ id, what, before, after, reason, by, at }) => (
          <li key={id}>
            <p className="user-text">{`${what} ${before} → ${after}: ${reason}`}</p>
            <p className="hint">
              {by}, <DateTime value={at} />
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

function EmailLink({ address }: { address: string }) {
  const atSign = address.lastIndexOf('@');
  return (
    <a href={`mailto:${encodeURIComponent(address).replace('%40', '@')}`}>
      {address.slice(0, atSign)}
      <wbr />
      {address.slice(atSign)}
    </a>
  );
}

function instructionItems(instruction: InstructionDetails | null, groundSchoolTime: string | null): DescriptionItem[] {
  const groundSchool = { term: 'Ground School Time', detail: groundSchoolTime && `${groundSchoolTime} hours` };
  if (!instruction) return [groundSchool];
  const { username, timeIn, timeOut, totalHours, isPilot } = instruction;
  return [
    { term: 'Instructor', detail: isPilot ? `${username} (also the pilot)` : username },
    { term: 'Time In', detail: timeIn ?? '-' },
    { term: 'Time Out', detail: timeOut ?? '-' },
    { term: 'Total Hours', detail: totalHours ?? '-' },
    groundSchool,
  ];
}

function FuelRecords({ records }: { records: FlightDetails['fuelRecords'] }) {
  if (records.length === 0) return <p>None</p>;
  return records.map((record, index) => (
    <DescriptionList
      key={index}
      items={[
        { term: 'Refueled', detail: record.refueled ? 'Yes' : 'No' },
        { term: 'Oil Added', detail: record.oilAdded ? 'Yes' : 'No' },
        { term: 'Oil Quantity', detail: record.oilQuantity === null ? null : `${record.oilQuantity} quarts` },
        { term: 'Fuel Notes', detail: record.notes === '' ? null : <span className="user-text">{record.notes}</span> },
        {
          term: 'Fuel Receipt',
          detail: record.fuelReceiptImage && <PhotoLink src={record.fuelReceiptImage} alt="Fuel receipt" />,
        },
      ]}
    />
  ));
}

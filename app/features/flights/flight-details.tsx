import { Link } from '#app/ui/link.tsx';
import { paths } from '#app/paths.ts';
import type { FlightDetails, InstructionDetails, MeterDetails } from './flight-details.server.ts';
import { FlightTapes } from './flight-tapes.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { type DescriptionItem, DescriptionList } from '#app/ui/description-list.tsx';
import { DateTime } from '#app/ui/date-time.tsx';
import { Notice } from '#app/ui/notice.tsx';
import { Reading } from '../meters/reading.tsx';
import { Thumbnail } from '#app/ui/thumbnail.tsx';

const IN_PROGRESS = 'In Progress';

export function FlightDetailsBody({ flight }: { flight: FlightDetails }) {
  return (
    <>
      <DescriptionList
        items={[
          {
            term: 'Aircraft',
            detail: (
              <>
                <Link to={paths.aircraft(flight.aircraftId)}>{flight.tailNumber}</Link>, {flight.makeAndModel}
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
          { term: 'Closed by', detail: flight.closed && `${flight.closed.by}: ${flight.closed.reason}` },
        ]}
      />
      <h3>Meters</h3>
      <FlightTapes tapes={flight.tapes} />
      <DescriptionList items={meterItems('Hobbs', flight.hobbs)} />
      <DescriptionList items={meterItems('Tach', flight.tach)} />
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
          <h3>Instructor Details</h3>
          <DescriptionList items={instructionItems(flight.instruction, flight.groundSchoolTime)} />
        </>
      )}
      <h3>Fuel &amp; Oil</h3>
      <FuelRecords records={flight.fuelRecords} />
      <h3>Squawks</h3>
      <p className="user-text">{flight.notes === '' ? 'None' : flight.notes}</p>
    </>
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

function meterItems(name: string, meter: MeterDetails): DescriptionItem[] {
  const { start, startPhoto, end, endPhoto, hours, change } = meter;
  return [
    {
      term: `${name} Start`,
      detail: <ReadingWithPhoto value={start} photo={startPhoto} alt={`${name} at the start`} />,
    },
    {
      term: `${name} End`,
      detail: end === null ? IN_PROGRESS : <ReadingWithPhoto value={end} photo={endPhoto} alt={`${name} at the end`} />,
    },
    {
      term: `${name} meter`,
      detail: change && `${CHANGES[change.reason]} at ${change.oldLast}, went on from ${change.newFirst}`,
    },
    { term: `${name} Hours`, detail: hours ?? IN_PROGRESS },
  ];
}

const CHANGES = { replaced: 'Replaced', 'rolled over': 'Rolled over' };

function ReadingWithPhoto({ value, photo, alt }: { value: string; photo: string | null; alt: string }) {
  return (
    <>
      <Reading value={value} />
      {photo && <PhotoLink src={photo} alt={alt} />}
    </>
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

function PhotoLink({ src, alt }: { src: string; alt: string }) {
  return (
    <a href={src}>
      <Thumbnail src={src} alt={alt} />
    </a>
  );
}

import type { ReactNode } from 'react';
import { MAX_SEARCH_CHARACTERS } from '#app/limits.ts';
import type { FlightFilterQuery } from '#app/paths.ts';
import { Fold } from '#app/ui/fold.tsx';
import { FilterDate, FilterForm, FilterSelect, FilterText } from '#app/ui/forms/filter-form.tsx';
import type { SelectOption, SelectOptionGroup } from '#app/ui/forms/fields.tsx';

type Options = (SelectOption | SelectOptionGroup)[];

interface FlightFilterFormProps {
  filter: FlightFilterQuery;
  options: { aircraft: Options; pilots: Options; instructors: Options; chosen: string[] };
  /** Groupings of hours, which stand before the fold in place of the aircraft. */
  groupings?: ReactNode;
  /** What the list shows; cancelled check-outs have neither instructor, status nor squawks. */
  show?: { options: SelectOption[]; isOfCancelled: boolean };
}

export function FlightFilterForm({ filter, options, groupings, show }: FlightFilterFormProps) {
  const { aircraftId, pilotId, instructorId, from, to, status, q, since } = filter;
  const { isOfCancelled } = show ?? { isOfCancelled: false };
  const chosen = isOfCancelled ? ['Cancelled check-outs', ...options.chosen] : options.chosen;
  const aircraft = (
    <FilterSelect name="aircraftId" label="Aircraft" value={String(aircraftId ?? '')} options={options.aircraft} />
  );
  return (
    <FilterForm>
      {groupings ?? aircraft}
      <Fold summary={['More filters', chosen.join(', ')].filter(Boolean).join(': ')} isCalledFor={chosen.length > 0}>
        <div>
          {groupings && aircraft}
          <FilterSelect name="pilotId" label="Pilot" value={String(pilotId ?? '')} options={options.pilots} />
          <FilterDate name="from" label="From" value={from ?? ''} />
          <FilterDate name="to" label="To" value={to ?? ''} />
          {show && (
            <FilterSelect name="show" label="Show" value={isOfCancelled ? 'cancelled' : ''} options={show.options} />
          )}
          {!isOfCancelled && (
            <>
              <FilterSelect
                name="instructorId"
                label="Instructor"
                value={String(instructorId ?? '')}
                options={options.instructors}
              />
              <FilterSelect name="status" label="Status" value={status ?? ''} options={STATUSES} />
              <FilterText name="q" label="Words in the squawks" value={q ?? ''} maxLength={MAX_SEARCH_CHARACTERS} />
            </>
          )}
          <FilterDate name="since" label="Changed since" value={since?.slice(0, DAY_CHARACTERS) ?? ''} />
        </div>
      </Fold>
    </FilterForm>
  );
}

const DAY_CHARACTERS = 10;

const STATUSES = [
  { value: '', label: 'All' },
  { value: 'completed', label: 'Completed' },
  { value: 'in_progress', label: 'In Progress' },
];

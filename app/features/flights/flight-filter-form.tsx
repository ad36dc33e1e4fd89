import type { ReactNode } from 'react';
import { MAX_SEARCH_CHARACTERS } from '#app/limits.ts';
import type { FlightFilterQuery } from '#app/paths.ts';
import { FilterDate } from '#app/ui/forms/filter-date.tsx';
import { FilterForm } from '#app/ui/forms/filter-form.tsx';
import { FilterSelect } from '#app/ui/forms/filter-select.tsx';
import { FilterText } from '#app/ui/forms/filter-text.tsx';
import type { SelectOption, SelectOptionGroup } from '#app/ui/forms/select-field.tsx';

type Options = (SelectOption | SelectOptionGroup)[];

interface FlightFilterFormProps {
  filter: FlightFilterQuery;
  options: { aircraft: Options; pilots: Options; instructors: Options };
  /** True for cancelled check-outs, which have neither instructor, status nor squawks. */
  isOfCancelled?: boolean;
  first?: ReactNode;
  last?: ReactNode;
}

/** The form is the same on every page that shows flights or sums of them. */
export function FlightFilterForm({ filter, options, isOfCancelled = false, first, last }: FlightFilterFormProps) {
  const { aircraftId, pilotId, instructorId, from, to, status, q, since } = filter;
  const isOpen = [instructorId, status, q, since].some((value) => value !== undefined);
  return (
    <FilterForm>
      {first}
      <FilterSelect name="aircraftId" label="Aircraft" value={String(aircraftId ?? '')} options={options.aircraft} />
      <FilterSelect name="pilotId" label="Pilot" value={String(pilotId ?? '')} options={options.pilots} />
      <FilterDate name="from" label="From" value={from ?? ''} />
      <FilterDate name="to" label="To" value={to ?? ''} />
      {last}
      <details className="filter-more" open={isOpen}>
        <summary>More filters</summary>
        <div>
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
      </details>
    </FilterForm>
  );
}

const DAY_CHARACTERS = 10;

const STATUSES = [
  { value: '', label: 'All' },
  { value: 'completed', label: 'Completed' },
  { value: 'in_progress', label: 'In Progress' },
];

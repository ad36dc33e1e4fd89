import type { SelectOption, SelectOptionGroup } from '#app/ui/forms/select-field.tsx';
import { FilterDate } from '#app/ui/forms/filter-date.tsx';
import { FilterForm } from '#app/ui/forms/filter-form.tsx';
import { FilterSelect } from '#app/ui/forms/filter-select.tsx';

interface ActivityFilterFormProps {
  filter: {
    person?: number | undefined;
    kind?: string | undefined;
    from?: string | undefined;
    to?: string | undefined;
  };
  people: (SelectOption | SelectOptionGroup)[];
  kinds: (SelectOption | SelectOptionGroup)[];
}

export function ActivityFilterForm({ filter, people, kinds }: ActivityFilterFormProps) {
  return (
    <FilterForm>
      <FilterSelect name="person" label="Person" value={String(filter.person ?? '')} options={people} />
      <FilterSelect name="kind" label="Activity" value={filter.kind ?? ''} options={kinds} />
      <FilterDate name="from" label="From" value={filter.from ?? ''} />
      <FilterDate name="to" label="To" value={filter.to ?? ''} />
    </FilterForm>
  );
}

import { useActionData, useLoaderData } from '@remix-run/react';
import { assertSquawkChangeable, fixSquawksTogether } from '#app/domain/squawks/change-squawk.server.ts';
import { fixSquawksFormSchema } from '#app/domain/squawks/schema.server.ts';
import { squawkTexts } from '#app/domain/squawks/squawk-texts.server.ts';
import { MAX_MAINTENANCE_SQUAWKS } from '#app/limits.ts';
import { paths } from '#app/paths.ts';
import { db } from '#app/server/db.server.ts';
import { redirectWithToast, successToast } from '#app/server/flash.server.ts';
import { requireId } from '#app/server/query-values.server.ts';
import { authedFormAction, authedLoader } from '#app/server/screen.server.ts';
import { EmptyState } from '#app/ui/elements.tsx';
import { ErrorSummary, useForm } from '#app/ui/forms/form.tsx';
import { FilterForm, FilterSelect } from '#app/ui/forms/filter-form.tsx';
import { createTitleMeta, useToast, Screen } from '#app/ui/page/screen.tsx';
import { Trail } from '#app/ui/page/trail.tsx';
import { loadMaintenancePage } from './maintenance-page.server.ts';
import { MaintenanceItemRow } from './maintenance-item-row.tsx';

export { clientAction } from '#app/ui/forms/form.tsx';

export const meta = createTitleMeta('Maintenance');

export const loader = authedLoader({
  can: 'anyRole',
  school: 'optional',
  load: ({ actor, url }) => loadMaintenancePage(actor, url),
});

export const action = authedFormAction({
  can: 'manage squawks',
  schema: fixSquawksFormSchema,
  failed: 'Failed to change squawk',
  precheck: async ({ actor, form }) => {
    for (const id of squawkIdsOf(form.get('squawkIds'))) await assertSquawkChangeable(db, actor, id, 'fixed');
  },
  run: async ({ actor, url, input, requestId }) => {
    const ids = squawkIdsOf(input.squawkIds);
    await fixSquawksTogether(db, actor, ids, { remark: input.remark }, requestId);
    const toast = successToast(ids.length === 1 ? 'Squawk fixed' : `${ids.length} squawks fixed`);
    return redirectWithToast(url.pathname + url.search, toast);
  },
});

function squawkIdsOf(text: unknown): number[] {
  return String(text ?? '')
    .split(',')
    .map((id) => requireId(id, squawkTexts.squawkNotFound));
}

export default function Maintenance() {
  const page = useLoaderData<typeof loader>();
  const reply = useActionData<typeof action>();
  const refused = reply?.result?.initialValue?.squawkIds;
  const [form, fields] = useForm<{ remark: string }>({ id: 'fixed', lastResult: reply?.result });
  return (
    <Screen
      title="Maintenance"
      showBackLink
      trail={<Trail steps={[{ label: 'Fleet', to: paths.fleet }, { label: 'Maintenance' }]} />}
      beforeTitle={<ErrorSummary form={form} />}
      toast={useToast(reply)}
    >
      <FilterForm>
        <FilterSelect name="show" label="Show" value={page.show} options={page.shows} />
        <FilterSelect name="aircraftId" label="Aircraft" value={page.aircraftId} options={page.aircraft} />
      </FilterForm>
      {page.rows.length === 0 ? (
        <EmptyState text="Nothing waits for maintenance here." />
      ) : (
        <ul className="maintenance-rows">
          {page.rows.map((row) => {
            const key = [row.aircraft.id, row.kind, row.inspectionId, row.squawks[0]?.id].join(' ');
            const isRefused = refused !== undefined && refused === row.squawks.map(({ id }) => id).join(',');
            return <MaintenanceItemRow key={key} row={row} page={page} refused={isRefused ? fields.remark : null} />;
          })}
        </ul>
      )}
      {page.hasMore && <p className="hint">{`Only the newest ${MAX_MAINTENANCE_SQUAWKS} squawks are listed.`}</p>}
    </Screen>
  );
}

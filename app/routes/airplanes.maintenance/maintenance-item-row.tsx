import { Link } from '#app/ui/link.tsx';
import type { Aircraft } from '#app/domain/aircraft/schema.server.ts';
import { AircraftBadge, ConditionBadge } from '#app/features/aircraft/aircraft-badge.tsx';
import { StatusForm } from '#app/features/aircraft/status-form.tsx';
import { Gauge } from '#app/features/inspections/gauge.tsx';
import { SquawkStateBadge } from '#app/features/squawks/squawk-badges.tsx';
import { paths } from '#app/paths.ts';
import { ButtonLink, DateTime } from '#app/ui/elements.tsx';
import { type FormField, HiddenField, TextArea } from '#app/ui/forms/fields.tsx';
import { PostForm, SubmitButton, useForm } from '#app/ui/forms/form.tsx';
import type { MaintenanceRow } from './maintenance-page.server.ts';

interface MaintenanceItemRowProps {
  row: MaintenanceRow;
  page: { canManageInspections: boolean; canManageSquawks: boolean; canSetStatus: boolean; requestId: string };
  /** The remark of this row's form where it was refused. */
  refused: FormField | null;
}

export function MaintenanceItemRow({ row, page, refused }: MaintenanceItemRowProps) {
  const { kind, aircraft, name, text, used, inspectionId, squawks } = row;
  return (
    <li data-kind={kind}>
      <Link className="maintenance-tail" to={paths.aircraft(aircraft.id)}>
        {aircraft.tailNumber}
      </Link>
      <KindBadge kind={kind} text={text} status={aircraft.status} />
      <div className="maintenance-words">
        {name && <span className="user-text">{name}</span>}
        {squawks.length > 1 && <b>{` ×${squawks.length}`}</b>}
        {used !== null && <Gauge used={used} label={`${Math.round(used * 100)} % of the interval used`} />}
        {squawks.length > 0 && <Reports squawks={squawks} />}
      </div>
      {inspectionId !== null && page.canManageInspections && (
        <ButtonLink to={paths.inspection(inspectionId)}>
          Done<span className="visually-hidden">{` or change: ${name} of ${aircraft.tailNumber}`}</span>
        </ButtonLink>
      )}
      {kind === 'grounded' && page.canSetStatus && (
        <StatusForm
          aircraftId={aircraft.id}
          requestId={page.requestId}
          intent="mark-available"
          labelSuffix={aircraft.tailNumber}
        />
      )}
      {squawks.length > 0 && page.canManageSquawks && <FixForm row={row} page={page} refused={refused} />}
    </li>
  );
}

function KindBadge({ kind, text, status }: Pick<MaintenanceRow, 'kind' | 'text'> & Pick<Aircraft, 'status'>) {
  if (kind === 'grounded') return <AircraftBadge status={status} condition={null} />;
  if (kind === 'squawk') return <SquawkStateBadge state="open" />;
  if (kind === 'deferred') return <SquawkStateBadge state="deferred" />;
  if (kind === 'later') return <span>{text}</span>;
  if (kind !== 'unsafe') return <ConditionBadge kind={kind}>{text || undefined}</ConditionBadge>;
  return (
    <span className="badge-list">
      <ConditionBadge kind="unsafe" />
      {text && <ConditionBadge kind="deferral_over">{text}</ConditionBadge>}
    </span>
  );
}

function Reports({ squawks }: Pick<MaintenanceRow, 'squawks'>) {
  return (
    <ul className="maintenance-reports hint">
      {squawks.map(({ id, by, at, until }) => (
        <li key={id}>
          <Link to={paths.squawk(id)}>
            {by}, <DateTime value={at} />
          </Link>
          {until && `, deferred ${until}`}
        </li>
      ))}
    </ul>
  );
}

/** Opens without script, and by itself where it was refused or waits to be sent again. */
function FixForm({ row: { squawks, name, aircraft }, page, refused }: MaintenanceItemRowProps) {
  const ids = squawks.map(({ id }) => id).join(',');
  const formId = `fixed-${squawks[0]?.id}`;
  const [, fields] = useForm<{ remark: string }>({ id: formId });
  const field = { ...fields.remark, ...refused, id: fields.remark.id };
  return (
    <details className="maintenance-fix" open={field.initialValue !== undefined || refused !== null || undefined}>
      <summary className="button" data-variant="secondary">
        {squawks.length === 1 ? 'Fixed' : `Fixed, all ${squawks.length}`}
        <span className="visually-hidden">{`: ${name} of ${aircraft.tailNumber}`}</span>
      </summary>
      <PostForm id={formId} preventScrollReset requestId={page.requestId}>
        <HiddenField name="squawkIds" value={ids} />
        <TextArea field={field} label="What was done" rows={2} required />
        <SubmitButton>Mark as Fixed</SubmitButton>
      </PostForm>
    </details>
  );
}

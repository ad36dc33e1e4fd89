import type { ItemsToTick } from '#app/domain/flights/start-warnings.server.ts';
import { Checkbox } from '#app/ui/forms/choices.tsx';
import { type FormField, HiddenField } from '#app/ui/forms/fields.tsx';

interface CheckOutConfirmationsProps {
  fields: Record<'unsafeRead' | 'overdueRead' | 'deferralsRead', FormField>;
  items: ItemsToTick;
}

/** The ids tell the server what stood beside a tick. */
export function CheckOutConfirmations({
  fields,
  items: { unsafe, overdue, deferralsOver },
}: CheckOutConfirmationsProps) {
  return (
    <>
      {unsafe.length > 0 && (
        <>
          <HiddenField name="unsafeIds" value={idsOf(unsafe)} />
          <Checkbox
            field={fields.unsafeRead}
            label={`I have read what was reported as unsafe to fly: ${unsafe.map(({ text }) => `“${text}”`).join(', ')}`}
            required
          />
        </>
      )}
      {overdue.length > 0 && (
        <>
          <HiddenField name="overdueIds" value={idsOf(overdue)} />
          <Checkbox
            field={fields.overdueRead}
            label={`I know what is overdue: ${overdue.map(({ name, text }) => `${name} (${text})`).join(', ')}`}
            required
          />
        </>
      )}
      {deferralsOver.length > 0 && (
        <>
          <HiddenField name="deferralIds" value={idsOf(deferralsOver)} />
          <Checkbox
            field={fields.deferralsRead}
            label={`I know which deferrals are over: ${deferralsOver.map(({ name, text }) => `“${name}” (${text})`).join(', ')}`}
            required
          />
        </>
      )}
    </>
  );
}

function idsOf(items: { id: number }[]): string {
  return items.map(({ id }) => id).join(' ');
}

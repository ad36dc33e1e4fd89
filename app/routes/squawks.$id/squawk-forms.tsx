import type { ReactNode } from 'react';
import type { SquawkState } from '#app/domain/squawks/squawk-states.ts';
import { DueAtFields } from '#app/features/inspections/due-at-fields.tsx';
import { Card, Actions } from '#app/ui/elements.tsx';
import { type FormField, HiddenField, TextArea } from '#app/ui/forms/fields.tsx';
import { type FormReply, PostForm, SubmitButton, type FormState, useForm } from '#app/ui/forms/form.tsx';

type Fields = Record<'dueAt' | 'dueReading' | 'dueDate' | 'remark', FormField>;

interface SquawkForm {
  id: string;
  fields: Fields;
}

/** Makes a form for each state; a reply belongs to the one whose intent it repeats. */
export function useSquawkForms(reply: FormReply | undefined) {
  const refusedIntent = reply?.result?.initialValue?.intent;
  const resultFor = (state: SquawkState) => (refusedIntent === state ? reply?.result : undefined);
  const [fixedState, fixedFields] = useForm<Fields>({ id: 'fixed', lastResult: resultFor('fixed') });
  const [deferredState, deferredFields] = useForm<Fields>({ id: 'deferred', lastResult: resultFor('deferred') });
  const [withdrawnState, withdrawnFields] = useForm<Fields>({ id: 'withdrawn', lastResult: resultFor('withdrawn') });
  const [openState, openFields] = useForm<Fields>({ id: 'open', lastResult: resultFor('open') });
  const states: FormState[] = [fixedState, deferredState, withdrawnState, openState];
  return {
    refused: states.find(({ id }) => id === refusedIntent) ?? fixedState,
    fixed: { id: fixedState.id, fields: fixedFields },
    deferred: { id: deferredState.id, fields: deferredFields },
    withdrawn: { id: withdrawnState.id, fields: withdrawnFields },
    open: { id: openState.id, fields: openFields },
  };
}

interface SquawkFormsProps {
  page: { canSettle: boolean; canReopen: boolean; canWithdraw: boolean; requestId: string };
  forms: Record<SquawkState, SquawkForm>;
}

export function SquawkForms({ page, forms }: SquawkFormsProps) {
  const { requestId } = page;
  return (
    <>
      {page.canSettle && (
        <>
          <ChangeForm form={forms.fixed} state="fixed" title="Fixed" requestId={requestId} label="What was done">
            {null}
          </ChangeForm>
          <ChangeForm form={forms.deferred} state="deferred" title="Defer" requestId={requestId} label="Remark">
            <DueAtFields fields={forms.deferred.fields} label="Until" />
          </ChangeForm>
        </>
      )}
      {page.canWithdraw && (
        <ChangeForm form={forms.withdrawn} state="withdrawn" title="Withdraw" requestId={requestId} label="Remark">
          <p className="hint">For a squawk that was reported by mistake.</p>
        </ChangeForm>
      )}
      {page.canReopen && (
        <ChangeForm form={forms.open} state="open" title="Reopen" requestId={requestId} label="Reason">
          {null}
        </ChangeForm>
      )}
    </>
  );
}

interface ChangeFormProps {
  form: SquawkForm;
  state: SquawkState;
  title: string;
  label: string;
  requestId: string;
  children: ReactNode;
}

const BUTTONS: Record<SquawkState, string> = {
  fixed: 'Mark as Fixed',
  deferred: 'Defer Squawk',
  withdrawn: 'Withdraw Squawk',
  open: 'Reopen Squawk',
};

function ChangeForm({ form, state, title, label, requestId, children }: ChangeFormProps) {
  const isRequired = state === 'fixed' || state === 'open';
  return (
    <Card title={title}>
      <PostForm id={form.id} requestId={requestId}>
        <HiddenField name="intent" value={state} />
        {children}
        <TextArea
          field={form.fields.remark}
          label={isRequired ? label : `${label} (optional)`}
          rows={2}
          required={isRequired}
        />
        <Actions>
          <SubmitButton variant={state === 'fixed' ? 'primary' : 'secondary'}>{BUTTONS[state]}</SubmitButton>
        </Actions>
      </PostForm>
    </Card>
  );
}

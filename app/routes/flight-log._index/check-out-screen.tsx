import type { ReactNode } from 'react';
import { texts } from '#app/domain/texts.ts';
import { paths } from '#app/paths.ts';
import { Notice } from '#app/ui/notice.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import { Stepper } from '#app/ui/stepper.tsx';
import { DefaultSubmitButton } from '#app/ui/forms/submit-button.tsx';
import type { Toast } from '#app/ui/page/toast-region.tsx';

const STEPS = ['Select Aircraft', 'Check Out', 'Review & Save'];

interface CheckOutScreenProps {
  step: number;
  lead?: ReactNode;
  toast: Toast | null;
  /** Whether the form is filled with what was posted after the session had ended. */
  unsent?: boolean;
  /** The step's form, where going back is to keep what is typed in it. */
  formId?: string;
  children: ReactNode;
}

/** The frame of the wizard's three steps; only earlier steps and this one can be gone to (spec §2). */
export function CheckOutScreen({ step, lead, toast, unsent, formId, children }: CheckOutScreenProps) {
  const steps = STEPS.map((label, index) => ({
    label,
    state: index < step ? ('done' as const) : index === step ? ('current' as const) : ('upcoming' as const),
    href: paths.checkOutStep(index),
    ...(formId && index < step && { submit: { formId, intent: 'back' } }),
  }));
  return (
    <Screen title="Check Out Aircraft" beforeTitle={lead} toast={toast} width="form">
      {formId && <DefaultSubmitButton form={formId} name="intent" value="next" />}
      <Stepper label="Steps" steps={steps} />
      {unsent && <Notice tone="caution">{texts.unsent}</Notice>}
      {children}
    </Screen>
  );
}

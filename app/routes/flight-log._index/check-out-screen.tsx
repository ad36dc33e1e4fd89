import type { ReactNode } from 'react';
import { paths } from '#app/paths.ts';
import { Notice } from '#app/ui/elements.tsx';
import { Screen } from '#app/ui/page/screen.tsx';
import { type Step, Stepper } from '#app/ui/stepper.tsx';
import { DefaultSubmitButton } from '#app/ui/forms/form.tsx';
import type { Toast } from '#app/ui/page/toast-region.tsx';

const STEP_LABELS = ['Select Aircraft', 'Check Out', 'Review & Save'];

interface CheckOutScreenProps {
  stepIndex: number;
  beforeTitle?: ReactNode;
  toast: Toast | null;
  notice?: string | null;
  /** Id of the form that going back submits, so that its values are saved. */
  formId?: string;
  children: ReactNode;
}

export function CheckOutScreen({ stepIndex, beforeTitle, toast, notice, formId, children }: CheckOutScreenProps) {
  const steps = STEP_LABELS.map((label, index): Step => ({
    label,
    state: index < stepIndex ? 'done' : index === stepIndex ? 'current' : 'upcoming',
    href: paths.checkOutStep(index),
    ...(formId && index < stepIndex && { submit: { formId, intent: 'back' } }),
  }));
  return (
    <Screen
      title="Check Out Aircraft"
      showBackLink
      beforeTitle={beforeTitle}
      toast={toast}
      width="form"
      rhythm="cockpit"
    >
      {formId && <DefaultSubmitButton form={formId} name="intent" value="next" />}
      <Stepper label="Steps" steps={steps} />
      {notice && <Notice tone="caution">{notice}</Notice>}
      {children}
    </Screen>
  );
}

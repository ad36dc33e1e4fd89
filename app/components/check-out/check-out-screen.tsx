import type { ReactNode } from 'react';
import { texts } from '../../domain/texts.ts';
import { paths } from '../../paths.ts';
import { Notice } from '../notice.tsx';
import { Screen } from '../screen.tsx';
import { Stepper } from '../stepper.tsx';
import type { Toast } from '../toast-region.tsx';

const STEPS = ['Select Aircraft', 'Check Out', 'Review & Save'];

interface CheckOutScreenProps {
  step: number;
  lead?: ReactNode;
  toast: Toast | null;
  /** Whether the form is filled with what was posted after the session had ended. */
  unsent?: boolean;
  children: ReactNode;
}

/** The frame of the wizard's three steps; only earlier steps and this one can be gone to (spec §2). */
export function CheckOutScreen({ step, lead, toast, unsent, children }: CheckOutScreenProps) {
  const steps = STEPS.map((label, index) => ({
    label,
    state: index < step ? ('done' as const) : index === step ? ('current' as const) : ('later' as const),
    href: paths.checkOutStep(index),
  }));
  return (
    <Screen title="Check Out Aircraft" lead={lead} toast={toast} width="form">
      <Stepper label="Steps" steps={steps} />
      {unsent && <Notice tone="caution">{texts.unsent}</Notice>}
      {children}
    </Screen>
  );
}

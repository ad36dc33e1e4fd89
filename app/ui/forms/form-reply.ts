import type { SubmissionResult } from '@conform-to/react';
import type { Toast } from '../page/toast-region.tsx';

export interface FormReply {
  /** Null leaves the entered values as they are. */
  result: SubmissionResult | null;
  toast: Toast | null;
}

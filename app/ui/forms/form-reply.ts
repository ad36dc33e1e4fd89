import type { SubmissionResult } from '@conform-to/react';
import type { Toast } from '../page/toast-region.tsx';

/** What an action answers when its form stays on the page; without a result what was typed is left alone. */
export interface FormReply {
  result: SubmissionResult | null;
  toast: Toast | null;
}

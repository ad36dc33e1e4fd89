import { successToast, type Toast } from '#app/server/flash.server.ts';

/** What an administrator is told of an aircraft's new status; of one that flies, also from when on (C05). */
export function statusUpdatedToast(groundedOnReturn: boolean): Toast {
  const later = groundedOnReturn ? 'It will be in maintenance once it is back.' : undefined;
  return successToast('Aircraft status updated successfully', later);
}

import { successToast, type Toast } from '#app/server/flash.server.ts';

/** Says that the status applies on return, if the aircraft is in flight. */
export function statusUpdatedToast(groundedOnReturn: boolean): Toast {
  const later = groundedOnReturn ? 'It will be in maintenance once it is back.' : undefined;
  return successToast('Aircraft status updated successfully', later);
}

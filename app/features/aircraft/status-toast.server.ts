import { successToast, type Toast } from '#app/server/flash.server.ts';

/** In flight, the status applies on return. */
export function statusUpdatedToast(groundedOnReturn: boolean): Toast {
  const later = groundedOnReturn ? 'It will be in maintenance once it is back.' : undefined;
  return successToast('Aircraft status updated successfully', later);
}

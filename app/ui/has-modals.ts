/** False on the server, and in a browser from before modal dialogs, which shows one as a part of the page. */
export const hasModals = typeof HTMLDialogElement === 'function' && 'showModal' in HTMLDialogElement.prototype;

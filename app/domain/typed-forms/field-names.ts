/** The path of a form's page, '#' and the form's id. */
export const TYPED_FORM = 'typedForm';
/** As it is valid; the id of a form that was posted without one is empty. */
export const PAGE_AND_FORM = /^\/[^#]*#[\w:-]+$/;
/** Of a form that waits for its sender's password: that it had one for somebody else, which is kept nowhere and entered again. */
export const WAITING_PASSWORD = 'waitingPass';
/** When the browser last knew what the server has of it, as an ISO instant. */
export const TYPED_SINCE = 'typedSince';
/** When what is sent stood in the form, in milliseconds by the browser's clock, later each time. */
export const TYPED_AT = 'typedAt';
/** On a log-out whose user was told of what was not sent. */
export const DISCARDS_UNSENT = 'discardsUnsent';

/** The path of a form's page, '#' and the form's id; script adds it to what it sends. */
export const TYPED_FORM = 'typedForm';
/** When the browser last knew what the server has of it, as an ISO instant. */
export const TYPED_SINCE = 'typedSince';

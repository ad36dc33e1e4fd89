/** The path of a form's page, '#' and the form's id. */
export const TYPED_FORM = 'typedForm';
export const TYPED_FORM_PATTERN = /^\/[^#\0]*#[\w:-]+$/;
/** The name of a form that was posted without one, by the path and search that it was posted to. */
export const namelessFormNameAt = (postedTo: string) => `${postedTo}#`;
/** The form waits for its sender's password and had one for somebody else; that is kept nowhere and entered again. */
export const FORM_HAD_PASSWORD = 'waitingPass';
/** When the browser last knew what the server has of it, as an ISO instant. */
export const DRAFT_KNOWN_AT = 'typedSince';
/** When what is sent stood in the form, in milliseconds by the browser's clock, later each time. */
export const TYPED_AT = 'typedAt';
/** Whom the page of what is sent was made for. */
export const VIEWER_ID = 'viewerId';
/** The user who logs out was told of what was not sent. */
export const DISCARDS_UNSENT = 'discardsUnsent';
/** Fields whose values are kept nowhere, and entered again. */
export const SECRET_FIELD_PATTERN = /password|^code$/i;

/** Ends the name of a field that says which files its form has lost. */
const NOT_KEPT = /NotKept$/;

export function notKeptFieldName(field: string): string {
  return `${field}NotKept`;
}

/** Returns the names of the chosen files as the value of their field; a page or a draft keeps no more of a file. */
export function fileNamesByField(fields: Iterable<[string, unknown]>): Record<string, string> {
  const chosen: Record<string, string[]> = {};
  const notKept: Record<string, string> = {};
  for (const [field, value] of fields) {
    if (value instanceof File && value.size > 0) (chosen[field] ??= []).push(value.name);
    if (typeof value === 'string' && NOT_KEPT.test(field)) notKept[field.replace(NOT_KEPT, '')] = value;
  }
  const names = Object.entries(chosen).map(([field, all]) => [field, all.join(', ')]);
  return { ...notKept, ...Object.fromEntries(names) };
}

/** Names of what a form holds by itself: nobody has typed it. */
export const BUTTON_FIELDS = /^(intent|requestId|typedForm|typedAt|\w*Id)$/;

/** A ref of a number's input, whose comma becomes a point where the browser would drop it. */
export function acceptDecimalComma(input: HTMLInputElement | null): void {
  input?.addEventListener('beforeinput', typePoint);
}

function typePoint(event: InputEvent): void {
  if (!event.cancelable || !event.data?.includes(',')) return;
  event.preventDefault();
  // Inputs of numbers have no other way to insert at the caret.
  document.execCommand('insertText', false, event.data.replace(',', '.'));
}

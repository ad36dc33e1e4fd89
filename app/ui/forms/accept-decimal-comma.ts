/** Turns the comma of a number into a point where the browser would drop it. The function is a ref of the input. */
export function acceptDecimalComma(input: HTMLInputElement | null): void {
  input?.addEventListener('beforeinput', typePoint);
}

function typePoint(event: InputEvent): void {
  if (!event.cancelable || !event.data?.includes(',')) return;
  event.preventDefault();
  // Inputs of numbers have no other way to insert at the caret.
  document.execCommand('insertText', false, event.data.replace(',', '.'));
}

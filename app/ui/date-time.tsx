/** A time as the server worded it in the school's zone; browsers never word it again (C41). */
export function DateTime({ value: at }: { value: { iso: string; text: string } }) {
  return <time dateTime={at.iso}>{at.text}</time>;
}

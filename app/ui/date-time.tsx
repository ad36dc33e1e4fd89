export interface DateTimeText {
  iso: string;
  /** Text that the server formatted in the school's time zone. */
  text: string;
}

export function DateTime({ value }: { value: DateTimeText }) {
  return <time dateTime={value.iso}>{value.text}</time>;
}

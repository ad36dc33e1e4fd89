export interface DateTimeText {
  iso: string;
  /** Formatted by the server in the school's time zone. */
  text: string;
}

export function DateTime({ value }: { value: DateTimeText }) {
  return <time dateTime={value.iso}>{value.text}</time>;
}

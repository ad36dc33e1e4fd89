export interface DateTimeText {
  iso: string;
  text: string;
}

export function DateTime({ value }: { value: DateTimeText }) {
  return <time dateTime={value.iso}>{value.text}</time>;
}

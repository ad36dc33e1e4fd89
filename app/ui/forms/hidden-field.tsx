export function HiddenField({ name, value }: { name: string; value: string }) {
  return <input type="hidden" name={name} value={value} />;
}

/** Makes submitting the same form twice harmless; the server generates the value on each render. */
export function RequestId({ value }: { value: string }) {
  return <HiddenField name="requestId" value={value} />;
}

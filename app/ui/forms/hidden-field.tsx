/** A value that travels with the form unseen. */
export function HiddenField({ name, value }: { name: string; value: string }) {
  return <input type="hidden" name={name} value={value} />;
}

/** The id, made by the server at render, that makes a second press of the same form harmless (C58). */
export function RequestId({ value }: { value: string }) {
  return <HiddenField name="requestId" value={value} />;
}

import { useActionData } from '@remix-run/react';
import { useRef } from 'react';

export function HiddenField({ name, value }: { name: string; value: string }) {
  return <input type="hidden" name={name} value={value} />;
}

/** Name of the flight for the device while it cannot send the form; the server reads the aircraft's id. */
export function TailNumber({ value }: { value: string }) {
  return <HiddenField name="tailNumber" value={value} />;
}

/** Makes submitting twice harmless. The id stays after a failed response, since the request may have succeeded. */
export function RequestId({ value }: { value: string }) {
  const reply = useActionData<{ requestId?: string | null; isDone?: true }>();
  const current = useRef(reply?.requestId ?? value);
  if (!reply || reply.isDone) current.current = value;
  return <HiddenField name="requestId" value={current.current} />;
}

import { z } from 'zod';
import { TYPED_SINCE } from '#app/domain/typed-forms/field-names.ts';

/** When the sender of a draft last knew what is stored; undefined if it does not say. */
export function draftSince(form: FormData): Date | undefined {
  const { data } = z.iso.datetime().safeParse(form.get(TYPED_SINCE));
  return data === undefined ? undefined : new Date(data);
}

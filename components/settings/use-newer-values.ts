import { useEffectEvent, useLayoutEffect, useRef } from "react";
import type { DefaultValues, FieldValues, UseFormReturn } from "react-hook-form";

/** Shows values that have changed elsewhere, unless the form has edits. */
export function useNewerValues<Values extends FieldValues>(
  // biome-ignore lint/suspicious/noExplicitAny: does not depend on the form's context and valid values
  form: UseFormReturn<Values, any, any>,
  values: DefaultValues<Values>,
): void {
  const show = useEffectEvent((newer: DefaultValues<Values>) => {
    // Compares the entries themselves: an entry may be newer than the last render, whose `isDirty` this effect would see.
    const isDirty = JSON.stringify(form.getValues()) !== JSON.stringify(form.formState.defaultValues);
    if (!isDirty) form.reset(newer);
  });
  const content = JSON.stringify(values);
  const seen = useRef(content);
  // Before the browser handles another entry: React runs later effects before it, so that they would replace a text that
  // is in the field and not yet in the form.
  useLayoutEffect(() => {
    // The form begins with these values. To set them again would disturb an entry that has just begun.
    if (seen.current === content) return;
    seen.current = content;
    show(JSON.parse(content));
  }, [content]);
}

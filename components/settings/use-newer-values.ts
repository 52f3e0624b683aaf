import { useEffect, useEffectEvent, useRef } from "react";
import type { DefaultValues, FieldValues, UseFormReturn } from "react-hook-form";

/** Shows values that have changed elsewhere, unless the form has edits. */
export function useNewerValues<Values extends FieldValues>(
  // biome-ignore lint/suspicious/noExplicitAny: does not depend on the form's context and valid values
  form: UseFormReturn<Values, any, any>,
  values: DefaultValues<Values>,
): void {
  const { isDirty } = form.formState;
  const show = useEffectEvent((newer: DefaultValues<Values>) => {
    if (!isDirty) form.reset(newer);
  });
  const content = JSON.stringify(values);
  const seen = useRef(content);
  useEffect(() => {
    // The form begins with these values. To set them again would disturb an entry that has just begun.
    if (seen.current === content) return;
    seen.current = content;
    show(JSON.parse(content));
  }, [content]);
}

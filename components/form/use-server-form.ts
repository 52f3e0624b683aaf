import { zodResolver } from "@hookform/resolvers/zod";
import { type DefaultValues, type FieldValues, type Path, useForm } from "react-hook-form";
import type { z } from "zod";
import { showServerIssues } from "./server-errors.tsx";

/** Form that a schema validates. `submitWith` shows the service's validation errors on the fields of the schema. */
export function useServerForm<Values extends FieldValues, Valid extends FieldValues>(
  schema: z.ZodType<Valid, Values> & { shape: object },
  defaultValues: DefaultValues<Values>,
) {
  const form = useForm<Values, unknown, Valid>({ resolver: zodResolver(schema), defaultValues });
  const fields = Object.keys(schema.shape) as Path<Values>[];
  const submitWith = (send: (values: Valid) => Promise<void>) =>
    form.handleSubmit(async (values) => {
      try {
        await send(values);
      } catch (error) {
        showServerIssues(error, form.setError, fields);
      }
    });
  return { form, submitWith };
}

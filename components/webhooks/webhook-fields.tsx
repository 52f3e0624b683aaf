import type { UseFormReturn } from "react-hook-form";
import { Field } from "#components/form/field.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Select } from "#components/ui/input.tsx";
import type { CreateWebhook } from "#lib/contract/webhooks";
import { eventTexts, formatTexts } from "./webhook-text.ts";

/** Address, format and events of a new or changed webhook. */
export function WebhookFields({
  form,
}: {
  form: Pick<
    UseFormReturn<CreateWebhook, unknown, CreateWebhook>,
    "register" | "getFieldState" | "formState"
  >;
}) {
  return (
    <>
      <TextField form={form} name="url" label="URL" type="url" placeholder="https://example.com/hooks" />
      <Field label="Format" help="For Slack and Teams, the URL is that of an incoming webhook">
        <Select {...form.register("format")} options={Object.entries(formatTexts)} />
      </Field>
      <fieldset>
        <legend className="mb-1.5 text-[13px] font-medium">Events</legend>
        <div className="grid gap-2 sm:grid-cols-2">
          {Object.entries(eventTexts).map(([name, text]) => (
            <Checkbox key={name} value={name} {...form.register("events")}>
              {text}
            </Checkbox>
          ))}
        </div>
        <FormError message={form.formState.errors.events?.message} />
      </fieldset>
    </>
  );
}

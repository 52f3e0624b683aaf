"use client";

import { useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { z } from "zod";
import { api, keys } from "#components/api/client.ts";
import { useCalendar, useTarget } from "#components/display/displays.tsx";
import { Field } from "#components/form/field.tsx";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { useServerForm } from "#components/form/use-server-form.ts";
import { endOfDay, localDay, startOfDay } from "#components/time/local-day.ts";
import { Select } from "#components/ui/input.tsx";
import { limits } from "#lib/contract/limits";
import type { Scenario } from "#lib/contract/scenarios";
import { visibleLine } from "#lib/contract/visible-line";

const day = z.iso.date("Choose a day");
const isNumber = (text: string) => text.trim() !== "" && Number.isFinite(Number(text));

const OverrideForm = z.object({
  from: day,
  to: day,
  operation: z.enum(["set", "add", "percent"]),
  value: z.string().refine(isNumber, "Enter a number"),
  reason: visibleLine(1, limits.overrideReasonMax),
});

/** Operation and operand as the API reads them. */
function changeOf({ operation, value }: Pick<z.infer<typeof OverrideForm>, "operation" | "value">) {
  if (operation === "percent") return { operation: "multiply", value: 1 + Number(value) / 100 } as const;
  return { operation, value: Number(value) } as const;
}

/** Adds an override of whole days, in the time zone of the dataset. */
export default function AddOverrideDialog({ scenario, onClose }: { scenario: Scenario; onClose(): void }) {
  const client = useQueryClient();
  const target = useTarget();
  const { timezone } = useCalendar();
  const dayOf = (time: string | null) => (time === null ? "" : localDay(time, timezone));
  const [min, max] = [dayOf(scenario.firstTimestamp), dayOf(scenario.lastTimestamp)];
  const { form, submitWith } = useServerForm(OverrideForm, {
    from: min,
    to: max,
    operation: "set",
    value: "",
    reason: "",
  });
  const submit = submitWith(async ({ from, to, reason, ...change }) => {
    await api.post(`/projects/${scenario.projectId}/scenarios/${scenario.id}/overrides`, {
      from: startOfDay(from, timezone),
      to: endOfDay(to, timezone),
      reason,
      ...changeOf(change),
    });
    await client.invalidateQueries({ queryKey: keys.scenarios(scenario.projectId) });
    toast.success("The override was added.");
    onClose();
  });
  const operation = form.watch("operation");
  return (
    <FormDialog
      onClose={onClose}
      title="Add override"
      description="Replaces or moves the predictions of a span. The calculated values stay visible."
      form={form}
      onSubmit={submit}
      action="Add override"
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField form={form} name="from" label="From" type="date" min={min} max={max} />
        <TextField form={form} name="to" label="To" type="date" min={min} max={max} />
        <Field label="Change">
          <Select {...form.register("operation")}>
            <option value="set">Set to a value</option>
            <option value="add">Add an amount</option>
            <option value="percent">Change by per cent</option>
          </Select>
        </Field>
        <TextField
          form={form}
          name="value"
          label={operation === "percent" ? "Per cent" : target.head(operation === "add" ? "Amount" : "Value")}
          type="number"
          step="any"
          min={operation === "percent" ? -100 : undefined}
        />
      </div>
      <TextField
        form={form}
        name="reason"
        label="Reason"
        help="Says why, for those who read the forecast later."
        maxLength={limits.overrideReasonMax}
      />
    </FormDialog>
  );
}

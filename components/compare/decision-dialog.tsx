"use client";

import { useQueries } from "@tanstack/react-query";
import { toast } from "sonner";
import { z } from "zod";
import { api } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { changeResource } from "#components/edit/change-resource.ts";
import { Field } from "#components/form/field.tsx";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { useServerForm } from "#components/form/use-server-form.ts";
import { Select } from "#components/ui/input.tsx";
import { limits } from "#lib/contract/limits";
import type { SavedComparison } from "#lib/contract/saved-comparisons";
import { visibleLine } from "#lib/contract/visible-line";

const DecisionForm = z.object({ scenarioId: z.string(), reason: visibleLine(1, limits.decisionReasonMax) });

/** Records which scenario of a saved comparison was chosen, and why. */
export function DecisionDialog({
  comparison,
  onStored,
  onClose,
}: {
  comparison: SavedComparison;
  onStored(): Promise<unknown>;
  onClose(): void;
}) {
  const { projectId, id, scenarioIds, decision } = comparison;
  const scenarios = useQueries({ queries: scenarioIds.map((one) => queries.scenario(projectId, one)) });
  const chosen = scenarioIds.find((one) => one === decision?.scenarioId) ?? scenarioIds[0] ?? "";
  const { form, submitWith } = useServerForm(DecisionForm, {
    scenarioId: chosen,
    reason: decision?.reason ?? "",
  });
  const submit = submitWith(async (sent) => {
    await changeResource(`/projects/${projectId}/comparisons/${id}`, (_, etag) =>
      api.patch(`/projects/${projectId}/comparisons/${id}`, { decision: sent }, etag),
    );
    await onStored();
    toast.success("The decision was recorded.");
    onClose();
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Record decision"
      description="Keeps what the scenario predicts now. The track record later shows what came."
      form={form}
      onSubmit={submit}
      action="Record decision"
    >
      <Field label="Chosen scenario">
        <Select {...form.register("scenarioId")}>
          {scenarioIds.map((one, at) => (
            <option key={one} value={one}>
              {scenarios[at]?.data?.title ?? "…"}
            </option>
          ))}
        </Select>
      </Field>
      <TextField form={form} name="reason" label="Reason" maxLength={limits.decisionReasonMax} />
    </FormDialog>
  );
}

"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { rerunBody } from "#components/actuals/stale-pinned-checkpoints.tsx";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { queries } from "#components/api/queries.ts";
import { Field } from "#components/form/field.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Select } from "#components/ui/input.tsx";
import { counted } from "#lib/contract/counted";
import type { Scenario } from "#lib/contract/scenarios";
import { checkpointOptions } from "./scenario-form.ts";

/**
 * Runs scenarios again: the input of completed ones as new scenarios on a chosen checkpoint, and the jobs of failed or
 * cancelled ones once more.
 */
export default function RunAgainDialog({
  projectId,
  scenarios,
  onClose,
}: {
  projectId: string;
  scenarios: readonly Scenario[];
  onClose(): void;
}) {
  const client = useQueryClient();
  const checkpoints = useQuery(queries.checkpoints(projectId));
  const [chosen, setChosen] = useState<string | null>(null);
  const completed = scenarios.filter(({ status }) => status === "Completed");
  const ended = scenarios.filter(({ status }) => status === "Failed" || status === "Cancelled");
  const checkpointId = chosen ?? checkpoints.data?.find(({ isDefault }) => isDefault)?.id ?? null;
  const label = checkpoints.data?.find(({ id }) => id === checkpointId)?.label ?? "";
  const run = useMutation({
    async mutationFn() {
      let begun = 0;
      // One after another, because each takes the project's lock.
      for (const scenario of [...completed, ...ended]) {
        try {
          await (scenario.status === "Completed"
            ? api.post(
                `/projects/${projectId}/scenarios`,
                rerunBody(scenario, { suffix: label, checkpointId }),
              )
            : api.post(`/jobs/${scenario.jobId}/retry`, {}));
          begun++;
        } catch (error) {
          toast.error(`“${scenario.title}” was not run again.`, { description: (error as Error).message });
        }
      }
      return begun;
    },
    async onSuccess(begun) {
      await client.invalidateQueries({ queryKey: keys.project(projectId) });
      if (begun > 0) toast.success(`Running ${counted(begun, "scenario")}.`);
      onClose();
    },
  });
  const count = completed.length + ended.length;
  return (
    <Dialog
      onClose={onClose}
      title="Run again"
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            look="primary"
            busy={run.isPending}
            disabled={count === 0 || (completed.length > 0 && checkpointId === null)}
            onClick={() => run.mutate()}
          >
            Run {counted(count, "scenario")}
          </Button>
        </>
      }
    >
      <div className="space-y-4 text-[13px] text-ink-soft">
        {completed.length > 0 && (
          <>
            <p>
              {counted(completed.length, "completed scenario")}: the same input runs as a new scenario on the
              checkpoint below.
            </p>
            <Field label="Checkpoint">
              <Select
                value={checkpointId ?? ""}
                onChange={(event) => setChosen(event.target.value)}
                options={checkpointOptions(checkpoints.data)}
              />
            </Field>
          </>
        )}
        {ended.length > 0 && (
          <p>{counted(ended.length, "failed or cancelled scenario")}: the job is retried.</p>
        )}
        {count < scenarios.length && (
          <p>{counted(scenarios.length - count, "scenario")}: still running, so not run again.</p>
        )}
      </div>
    </Dialog>
  );
}

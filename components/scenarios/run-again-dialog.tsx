"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { api, keys } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { Field } from "#components/form/field.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import { isActive } from "#components/jobs/job-text.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Select } from "#components/ui/input.tsx";
import { counted } from "#lib/contract/counted";
import type { RequestRun } from "#lib/contract/scenario-runs";
import type { Scenario } from "#lib/contract/scenarios";
import { checkpointOptions, currentModelOf, newerModelHint } from "./current-model.ts";
import { newCheckpoint } from "./scenario-form.ts";

/**
 * Runs scenarios again: completed ones with the newest rows on a chosen checkpoint, as new runs of the same scenarios, and the
 * jobs of failed or cancelled ones once more.
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
  const project = useQuery(queries.project(projectId));
  const [chosen, setChosen] = useState<string | null>(null);
  const completed = scenarios.filter(({ status }) => status === "Completed");
  const ended = scenarios.filter(({ status }) => status === "Failed" || status === "Cancelled");
  const current = project.data && checkpoints.data ? currentModelOf(project.data, checkpoints.data) : null;
  const usual = checkpoints.data?.find(({ isDefault }) => isDefault)?.id ?? current?.value;
  const selected = chosen ?? (current?.olderDefault ? current.value : usual) ?? null;
  const run = useMutation({
    async mutationFn() {
      const saved =
        selected === newCheckpoint && completed.length > 0 ? await saveCurrentModel(projectId) : null;
      let begun = 0;
      // One after another, because each takes the project's lock.
      for (const scenario of [...completed, ...ended]) {
        try {
          if (scenario.status === "Completed") {
            const path = `/projects/${projectId}/scenarios/${scenario.id}/runs` as const;
            await api.post(path, runBody(scenario, saved ?? selected));
          } else await api.post(`/jobs/${scenario.jobId}/retry`, {});
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
            disabled={count === 0 || (completed.length > 0 && selected === null)}
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
              {counted(completed.length, "completed scenario")}: a new run by the same recipe, with the newest
              known rows. Former runs stay readable.
            </p>
            <Field label="Checkpoint" help={newerModelHint(current, selected ?? "")}>
              <Select
                value={selected ?? ""}
                onChange={(event) => setChosen(event.target.value)}
                options={checkpointOptions(checkpoints.data, current)}
              />
            </Field>
          </>
        )}
        <FormError message={run.error?.message} />
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

/** Returns the request of a run on a checkpoint. Pinned checkpoints that are stale are replaced by the newer defaults. */
function runBody(
  { dependentProjectCheckpoints, stalePins }: Scenario,
  checkpointId: string | null,
): RequestRun {
  const moved = stalePins.map((pin) => [pin.projectId, pin.defaultCheckpointId] as const);
  return {
    ...(checkpointId && { checkpointId }),
    dependentProjectCheckpoints: { ...dependentProjectCheckpoints, ...Object.fromEntries(moved) },
  };
}

/** Time between two reads of the job's status. Saving a model takes a second or two. */
const POLL_MS = 500;

/**
 * Saves the current model as a checkpoint, and waits until scenarios can use it.
 *
 * @throws if the job fails
 */
async function saveCurrentModel(projectId: string): Promise<string> {
  const path = `/projects/${projectId}/checkpoints` as const;
  const { checkpointId, jobId } = await api.post(path, {});
  for (;;) {
    const job = await api.get(`/jobs/${jobId}`);
    if (job.status === "Completed") return checkpointId;
    if (!isActive(job)) throw new Error(`The current model was not saved: ${job.message ?? job.status}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

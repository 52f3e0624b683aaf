"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { queries } from "#components/api/queries.ts";
import { Field } from "#components/form/field.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import { isActive } from "#components/jobs/job-text.ts";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Select } from "#components/ui/input.tsx";
import type { Checkpoint } from "#lib/contract/checkpoints";
import { counted } from "#lib/contract/counted";
import type { Scenario } from "#lib/contract/scenarios";
import { checkpointOptions, currentModelOf, newerModelHint } from "./current-model.ts";
import { newCheckpoint } from "./scenario-form.ts";
import { rerunBody } from "./stale-pinned-checkpoints.tsx";
import { type Look, useOthers } from "./use-others.ts";

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
  const project = useQuery(queries.project(projectId));
  const { others } = useOthers(projectId);
  const [chosen, setChosen] = useState<string | null>(null);
  const completed = scenarios.filter(({ status }) => status === "Completed");
  const ended = scenarios.filter(({ status }) => status === "Failed" || status === "Cancelled");
  const current = project.data && checkpoints.data ? currentModelOf(project.data, checkpoints.data) : null;
  const usual = checkpoints.data?.find(({ isDefault }) => isDefault)?.id ?? current?.value;
  const selected = chosen ?? (current?.olderDefault ? current.value : usual) ?? null;
  // The same input on the same checkpoints would give the same predictions again.
  const changing = completed.filter(
    ({ checkpointId, stalePins }) => checkpointId !== selected || stalePins.length > 0,
  );
  const run = useMutation({
    async mutationFn() {
      const used =
        selected === newCheckpoint && changing.length > 0 ? await saveCurrentModel(projectId) : null;
      const checkpointId = used?.id ?? selected;
      const label = used?.label ?? checkpoints.data?.find(({ id }) => id === selected)?.label ?? "";
      const taken: Look[] = [...others];
      let begun = 0;
      // One after another, because each takes the project's lock.
      for (const scenario of [...changing, ...ended]) {
        try {
          if (scenario.status === "Completed") {
            const body = rerunBody(scenario, { suffix: label, checkpointId, others: taken });
            await api.post(`/projects/${projectId}/scenarios`, body);
            taken.push({ title: body.title, color: body.color ?? "" });
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
  const count = changing.length + ended.length;
  const same = completed.length - changing.length;
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
              {counted(completed.length, "completed scenario")}: the same input runs as a new scenario on the
              checkpoint below.
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
        {same > 0 && selected !== null && (
          <p>
            {counted(same, "scenario already uses", "scenarios already use")} this checkpoint, so another run
            would give the same predictions.
          </p>
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

/** Time between two reads of the job's status. Saving a model takes a second or two. */
const POLL_MS = 500;

/**
 * Saves the current model as a checkpoint, and waits until scenarios can use it.
 *
 * @throws if the job fails
 */
async function saveCurrentModel(projectId: string): Promise<Checkpoint> {
  const path = `/projects/${projectId}/checkpoints` as const;
  const { checkpointId, jobId } = await api.post(path, {});
  for (;;) {
    const job = await api.get(`/jobs/${jobId}`);
    if (job.status === "Completed") return api.get(`${path}/${checkpointId}`);
    if (!isActive(job)) throw new Error(`The current model was not saved: ${job.message ?? job.status}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

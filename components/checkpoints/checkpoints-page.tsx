"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { FileUp, Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { type Dispatch, type SetStateAction, useState } from "react";
import { toast } from "sonner";
import { queries } from "#components/api/queries.ts";
import { useMay } from "#components/api/viewer.tsx";
import { JobProgress } from "#components/jobs/job-progress.tsx";
import { isActive } from "#components/jobs/job-text.ts";
import { useJobEnds } from "#components/jobs/use-job-ends.ts";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { ForkDrawing } from "#components/ui/fork-drawing.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { EmptyState, QueryState } from "#components/ui/states.tsx";
import { HiddenTh, Table, Td, Th } from "#components/ui/table.tsx";
import { useMemberNames } from "#components/users/use-member-names.ts";
import type { Checkpoint } from "#lib/contract/checkpoints";
import type { Job } from "#lib/contract/jobs";
import { limits } from "#lib/contract/limits";
import { CheckpointRow } from "./checkpoint-row.tsx";

const CompareDialog = dynamic(() => import("./compare-dialog.tsx"), { ssr: false });
const SaveModelDialog = dynamic(() => import("#components/model/save-model-dialog.tsx"), { ssr: false });
const ImportCheckpointDialog = dynamic(() => import("./import-checkpoint-dialog.tsx"), { ssr: false });

export function CheckpointsPage({ projectId }: { projectId: string }) {
  const may = useMay();
  const checkpoints = useQuery(queries.checkpoints(projectId));
  const project = useQuery(queries.project(projectId));
  const jobs = useInfiniteQuery(queries.jobs(projectId));
  useJobEnds(projectId, ["CreateCheckpoint"], ({ status }) => {
    if (status === "Completed") toast.success("The checkpoint is saved and ready to use.");
  });
  const [dialog, setDialog] = useState<"none" | "create" | "compare" | "import">("none");
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const rows = checkpoints.data ?? [];
  const saving = savingJobs(jobs.data ?? []);
  const count = rows.length + saving.running.length;
  const full = count >= limits.checkpointsPerProject;
  const hasModel = project.data?.currentModel != null;
  const pair = ticked.filter((id) => rows.some((row) => row.id === id));
  const [first, second] = pair;
  const failure = saving.failed && newerThanAll(saving.failed, rows) ? saving.failed : null;
  const create = may("createCheckpoint") && (
    <Button look="primary" onClick={() => setDialog("create")} disabled={full || !hasModel}>
      <Plus className="size-4" /> Create checkpoint
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Checkpoints"
        description={
          <>
            Saved versions of the model. Each scenario keeps its checkpoint. Select two checkpoints to compare
            them.
            {checkpoints.data && (
              <span className="figures">
                {" "}
                {count} of {limits.checkpointsPerProject} used.
                {full &&
                  may("deleteCheckpoint") &&
                  " Delete an unused checkpoint before you save another one."}
              </span>
            )}
          </>
        }
        actions={
          <>
            <Button onClick={() => setDialog("compare")} disabled={pair.length !== 2}>
              Compare
            </Button>
            {may("importCheckpoint") && (
              <Button onClick={() => setDialog("import")} disabled={full}>
                <FileUp className="size-4" /> Import
              </Button>
            )}
            {create}
          </>
        }
      />
      {failure?.error && (
        <Card className="mb-6 border-bad/40 p-5">
          <p role="alert" className="text-[13px] text-bad">
            The last checkpoint was not saved: {failure.error.message}
          </p>
        </Card>
      )}
      <Card>
        <QueryState query={checkpoints} />
        {checkpoints.data && count === 0 && (
          <EmptyState
            title="No checkpoints yet"
            drawing={<ForkDrawing />}
            action={
              hasModel
                ? create
                : may("trainModel") && (
                    <ButtonLink look="primary" href={`/projects/${projectId}/model`}>
                      Train a model
                    </ButtonLink>
                  )
            }
          >
            {!may("createCheckpoint")
              ? "Analysts and admins of the project save models as checkpoints."
              : hasModel
                ? "Save the current model to run scenarios on exactly this version. The first checkpoint becomes the default."
                : "Train a model first, then save it as a checkpoint."}
          </EmptyState>
        )}
        {count > 0 && <Rows rows={rows} saving={saving.running} ticked={ticked} setTicked={setTicked} />}
      </Card>
      {dialog === "create" && <SaveModelDialog projectId={projectId} onClose={() => setDialog("none")} />}
      {dialog === "import" && (
        <ImportCheckpointDialog projectId={projectId} onClose={() => setDialog("none")} />
      )}
      {dialog === "compare" && first && second && (
        <CompareDialog projectId={projectId} ids={[first, second]} onClose={() => setDialog("none")} />
      )}
    </>
  );
}

function Rows({
  rows,
  saving,
  ticked,
  setTicked,
}: {
  rows: readonly Checkpoint[];
  /** Jobs that are saving checkpoints. */
  saving: readonly Job[];
  ticked: readonly string[];
  setTicked: Dispatch<SetStateAction<readonly string[]>>;
}) {
  const authorOf = useMemberNames();
  return (
    <Table>
      <thead>
        <tr>
          <HiddenTh className="w-10">Compare</HiddenTh>
          <Th>Label</Th>
          <Th>Model</Th>
          <Th className="text-right">Metric</Th>
          <Th className="text-right">Scenarios</Th>
          <Th>Created</Th>
          <HiddenTh>Actions</HiddenTh>
        </tr>
      </thead>
      <tbody>
        {saving.map((job) => (
          <tr key={job.id}>
            <Td />
            <Td className="text-ink-soft">Saving a checkpoint …</Td>
            <Td colSpan={5}>
              <JobProgress job={job} />
            </Td>
          </tr>
        ))}
        {rows.map((checkpoint) => (
          <CheckpointRow
            key={checkpoint.id}
            checkpoint={checkpoint}
            linkedLabel={rows.find(({ id }) => id === checkpoint.linkedCheckpointId)?.label ?? null}
            author={authorOf(checkpoint.createdBy)}
            ticked={ticked.includes(checkpoint.id)}
            onTick={() =>
              setTicked((before) =>
                before.includes(checkpoint.id)
                  ? before.filter((id) => id !== checkpoint.id)
                  : [...before, checkpoint.id],
              )
            }
          />
        ))}
      </tbody>
    </Table>
  );
}

/** Returns the jobs that are saving checkpoints, and the newest attempt if it failed. */
function savingJobs(jobs: readonly Job[]): { running: Job[]; failed: Job | null } {
  const saving = jobs.filter(({ type }) => type === "CreateCheckpoint");
  const newest = saving[0];
  return { running: saving.filter(isActive), failed: newest?.status === "Failed" ? newest : null };
}

/** Returns whether to show a failure: only until a later checkpoint is saved. */
function newerThanAll(job: Job, rows: readonly { createdAt: string }[]): boolean {
  return rows.every(({ createdAt }) => createdAt < job.createdAt);
}

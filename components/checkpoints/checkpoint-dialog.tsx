"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { queries } from "#components/api/queries";
import { FeatureTable } from "#components/model/feature-table";
import { MetricsTable } from "#components/model/metrics-table";
import { stepText } from "#components/model/step-text";
import { Dialog } from "#components/ui/dialog";
import { Facts } from "#components/ui/facts";
import { formatBytes, formatInteger } from "#components/ui/format";
import { Link } from "#components/ui/link";
import { SkeletonRows } from "#components/ui/skeleton";
import { ErrorState } from "#components/ui/states";
import { Time } from "#components/ui/time";
import type { Checkpoint, CheckpointDetail } from "#lib/contract/checkpoints";

const link = "rounded-sm text-accent underline";

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-t pt-4">
      <h3 className="mb-2 text-[13px] font-semibold">{title}</h3>
      {children}
    </section>
  );
}

/** The scenarios that run on it; those that use it only as a dependent one are counted, not named. */
function Users({ checkpoint }: { checkpoint: CheckpointDetail }) {
  const scenarios = useInfiniteQuery(queries.scenarios(checkpoint.projectId));
  const users = (scenarios.data?.pages.flatMap(({ items }) => items) ?? []).filter(
    ({ checkpointId }) => checkpointId === checkpoint.id,
  );
  if (checkpoint.usedByScenarios === 0) {
    return <p className="text-[13px] text-ink-faint">No scenario: it can be deleted.</p>;
  }
  const others = checkpoint.usedByScenarios - users.length;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-[13px]">
      {users.map(({ id, title }) => (
        <li key={id}>
          <Link className={link} href={`/projects/${checkpoint.projectId}/scenarios/${id}`}>
            {title}
          </Link>
        </li>
      ))}
      {others > 0 && (
        <li className="text-ink-faint">
          {users.length > 0 ? "and " : ""}
          {formatInteger(others)} {others === 1 ? "other" : "others"}
        </li>
      )}
    </ul>
  );
}

function Dependents({ checkpoint }: { checkpoint: CheckpointDetail }) {
  const projects = useQuery(queries.projects());
  const nameOf = new Map(projects.data?.map(({ id, name }) => [id, name]));
  return (
    <ul className="space-y-1 text-[13px]">
      {Object.entries(checkpoint.dependentProjectCheckpoints).map(([projectId, id]) => (
        <li key={projectId}>
          <Link className={link} href={`/projects/${projectId}/checkpoints`}>
            {nameOf.get(projectId) ?? "another project"}
          </Link>{" "}
          <span className="font-mono text-xs text-ink-faint">{id}</span>
        </li>
      ))}
    </ul>
  );
}

export function CheckpointDialog({ checkpoint, onClose }: { checkpoint: Checkpoint; onClose(): void }) {
  const detail = useQuery(queries.checkpoint(checkpoint.projectId, checkpoint.id));
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={checkpoint.label}
      description={checkpoint.description ?? undefined}
      width="lg"
    >
      {detail.isPending && <SkeletonRows rows={6} />}
      {detail.error && <ErrorState error={detail.error} onRetry={detail.refetch} />}
      {detail.data && (
        <div className="space-y-5 text-left">
          <Facts
            facts={[
              ["Model", detail.data.modelName],
              ["Trained", <Time key="trained" at={detail.data.trainedAt} />],
              ["Training rows", formatInteger(detail.data.trainingRows)],
              ["Size", `${formatBytes(detail.data.artifactBytes)}, ${detail.data.modelFormat}`],
              [
                "Folder",
                <span key="folder" className="font-mono text-xs">
                  {detail.data.folderName}
                </span>,
              ],
              [
                "SHA-256",
                <span key="sha" className="font-mono text-xs" title={detail.data.sha256}>
                  {detail.data.sha256.slice(0, 16)}…
                </span>,
              ],
            ]}
          />
          <Section title="Used by">
            <Users checkpoint={detail.data} />
          </Section>
          <Section title="Metrics">
            <div className="-mx-5">
              <MetricsTable metrics={detail.data.trainingMetrics} targetMetric={detail.data.targetMetric} />
            </div>
          </Section>
          <Section title="Input features">
            <div className="-mx-5">
              <FeatureTable features={detail.data.inputFeatures} />
            </div>
          </Section>
          {detail.data.featureEngineering.steps.length > 0 && (
            <Section title="Feature engineering">
              <ol className="list-decimal gap-x-8 space-y-0.5 pl-5 text-[13px] text-ink-soft sm:columns-2">
                {detail.data.featureEngineering.steps.map((step) => (
                  <li key={JSON.stringify(step)}>{stepText(step)}</li>
                ))}
              </ol>
            </Section>
          )}
          {Object.keys(detail.data.dependentProjectCheckpoints).length > 0 && (
            <Section title="Made with checkpoints of">
              <Dependents checkpoint={detail.data} />
            </Section>
          )}
          <Section title="Id">
            <p className="font-mono text-xs break-all">{detail.data.id}</p>
          </Section>
        </div>
      )}
    </Dialog>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import { useMay } from "#components/api/viewer.tsx";
import { ModelSections } from "#components/model/model-sections.tsx";
import { UpstreamCheckpoints } from "#components/scenarios/upstream-checkpoints.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Facts } from "#components/ui/facts.tsx";
import { formatBytes, formatInteger } from "#components/ui/format.ts";
import { Section } from "#components/ui/section.tsx";
import { QueryState } from "#components/ui/states.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Checkpoint } from "#lib/contract/checkpoints";
import { CheckpointScenarios } from "./checkpoint-scenarios.tsx";

export default function CheckpointDialog({
  checkpoint,
  onClose,
}: {
  checkpoint: Checkpoint;
  onClose(): void;
}) {
  const mayDelete = useMay()("deleteCheckpoint");
  const detail = useQuery(queries.checkpoint(checkpoint.projectId, checkpoint.id));
  return (
    <Dialog
      onClose={onClose}
      title={checkpoint.label}
      description={checkpoint.description ?? undefined}
      width="lg"
    >
      <QueryState query={detail} rows={6} />
      {detail.data && (
        <div className="space-y-5 text-left">
          <Facts
            facts={[
              ["Model", detail.data.modelName],
              ["Trained", <Time key="trained" at={detail.data.trainedAt} />],
              ["Training rows", formatInteger(detail.data.trainingRows)],
              ["Size", formatBytes(detail.data.artifactBytes)],
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
            {detail.data.usedByScenarios === 0 ? (
              <p className="text-[13px] text-ink-faint">
                {mayDelete ? "No scenarios. You can delete this checkpoint." : "No scenarios."}
              </p>
            ) : (
              <CheckpointScenarios checkpoint={checkpoint} count={detail.data.usedByScenarios} />
            )}
          </Section>
          <ModelSections model={detail.data} />
          {Object.keys(detail.data.dependentProjectCheckpoints).length > 0 && (
            <Section title="Upstream checkpoints">
              <div className="text-[13px]">
                <UpstreamCheckpoints pinnedCheckpoints={detail.data.dependentProjectCheckpoints} />
              </div>
            </Section>
          )}
          <Section title="ID">
            <p className="font-mono text-xs break-all">{detail.data.id}</p>
          </Section>
        </div>
      )}
    </Dialog>
  );
}

"use client";

import { useQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Facts } from "#components/ui/facts.tsx";
import { formatBytes } from "#components/ui/format.ts";
import { Progress } from "#components/ui/progress.tsx";
import { QueryState } from "#components/ui/states.tsx";
import type { ProjectSpace } from "#lib/contract/space";
import { OpenUploads } from "./open-uploads.tsx";

/** Shows the space that the project uses, what uses it, and the uploads that no request has used yet. */
export function SpaceSection({ projectId }: { projectId: string }) {
  const space = useQuery(queries.space(projectId));
  return (
    <Card>
      <CardHeader
        title="Space"
        description="Files and predictions that the service stores for this project."
      />
      <QueryState query={space} rows={2} />
      {space.data && (
        <>
          <SpaceInUse space={space.data} />
          <OpenUploads projectId={projectId} limits={space.data.openUploads} />
        </>
      )}
    </Card>
  );
}

function SpaceInUse({ space: { bytes, limitBytes, byKind } }: { space: ProjectSpace }) {
  const isFull = bytes >= limitBytes;
  return (
    <div className="space-y-4 px-5 pb-5">
      <div className="space-y-1.5">
        <p className="figures flex flex-wrap justify-between gap-x-4 text-[13px]">
          <span className="font-medium">
            {formatBytes(bytes)} of {formatBytes(limitBytes)} in use
          </span>
          {isFull && <span className="text-bad">Full: delete scenarios, checkpoints or uploads</span>}
        </p>
        <Progress value={Math.min(100, (100 * bytes) / limitBytes)} label="Space in use" />
      </div>
      <Facts
        facts={[
          ["Scenarios", formatBytes(byKind.scenarios)],
          ["Models", formatBytes(byKind.models)],
          ["Checkpoints", formatBytes(byKind.checkpoints)],
          ["Dataset", formatBytes(byKind.datasets)],
          ["Uploads of the last 24 hours", formatBytes(byKind.uploads)],
          ...(byKind.beingWritten > 0
            ? ([["Being written now", formatBytes(byKind.beingWritten)]] as const)
            : []),
        ]}
      />
    </div>
  );
}

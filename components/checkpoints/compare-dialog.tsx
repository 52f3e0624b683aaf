"use client";

import { useQueries } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import { ModelDifferences } from "#components/model/model-differences.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";

export default function CompareDialog({
  projectId,
  ids,
  onClose,
}: {
  projectId: string;
  ids: readonly [string, string];
  onClose(): void;
}) {
  const [first, second] = useQueries({ queries: ids.map((id) => queries.checkpoint(projectId, id)) });
  const error = first?.error ?? second?.error;
  return (
    <Dialog onClose={onClose} title="Compare checkpoints" width="lg">
      {error && (
        <ErrorState
          error={error}
          onRetry={() => {
            void first?.refetch();
            void second?.refetch();
          }}
        />
      )}
      {!error && !(first?.data && second?.data) && <SkeletonRows rows={6} />}
      {first?.data && second?.data && (
        <ModelDifferences
          first={first.data}
          second={second.data}
          titles={[first.data.label, second.data.label]}
        />
      )}
    </Dialog>
  );
}

"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { toast } from "sonner";
import { api, keys } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { useMay } from "#components/api/viewer.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { formatDateTime, formatInteger } from "#components/ui/format.ts";
import { QueryState } from "#components/ui/states.tsx";
import { DataTable } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import { useMemberNames } from "#components/users/use-member-names.ts";
import type { DatasetChange, DatasetVersion } from "#lib/contract/dataset-versions";

const VersionDialog = dynamic(() => import("./version-dialog.tsx"), { ssr: false });

const changeTexts: Record<DatasetChange, string> = {
  replaced: "File saved",
  appended: "Rows added",
  settings: "Settings changed",
  restored: "Version restored",
  corrected: "Rows corrected",
};

/** Lists the versions of the dataset, which can be compared, restored and deleted. */
export function HistoryCard({ projectId }: { projectId: string }) {
  const versions = useQuery(queries.versions(projectId));
  const nameOf = useMemberNames();
  const may = useMay();
  const [shown, setShown] = useState<{ version: DatasetVersion; since: DatasetVersion | null } | null>(null);
  const [deleted, setDeleted] = useState<DatasetVersion | null>(null);
  const rows = versions.data ?? [];
  const current = rows[0];
  return (
    <Card>
      <CardHeader
        title="History"
        description={`The last ten versions of the data.${may("restoreDatasetVersion") ? " Restoring one makes a new version, which can be undone too." : ""}`}
      />
      <QueryState query={versions} rows={3} />
      {current && (
        <DataTable
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            ["Change", ({ id, change }) => `${changeTexts[change]}${id === current.id ? " (current)" : ""}`],
            ["By", ({ createdBy }) => nameOf(createdBy), "max-sm:hidden"],
            ["When", ({ createdAt }) => <Time at={createdAt} />],
            ["File", ({ fileName }) => fileName ?? "—", "max-w-60 truncate max-sm:hidden"],
            ["Rows", ({ rowCount }) => formatInteger(rowCount), "text-right"],
            [
              <span key="actions" className="sr-only">
                Actions
              </span>,
              (version, at) => (
                <span className="flex justify-end gap-2 max-sm:flex-col max-sm:items-end">
                  {at < rows.length - 1 && (
                    <Button size="sm" onClick={() => setShown({ version, since: null })}>
                      Compare
                    </Button>
                  )}
                  {at > 0 && may("restoreDatasetVersion") && (
                    <Button size="sm" onClick={() => setShown({ version, since: current })}>
                      Restore
                    </Button>
                  )}
                  {at > 0 && may("deleteDatasetVersion") && (
                    <Button
                      size="sm"
                      look="danger"
                      aria-label={`Delete the version of ${formatDateTime(version.createdAt)}`}
                      onClick={() => setDeleted(version)}
                    >
                      Delete
                    </Button>
                  )}
                </span>
              ),
            ],
          ]}
        />
      )}
      {shown && <VersionDialog projectId={projectId} {...shown} onClose={() => setShown(null)} />}
      {deleted && <DeleteVersion projectId={projectId} version={deleted} onClose={() => setDeleted(null)} />}
    </Card>
  );
}

function DeleteVersion({
  projectId,
  version,
  onClose,
}: {
  projectId: string;
  version: DatasetVersion;
  onClose(): void;
}) {
  const client = useQueryClient();
  const when = formatDateTime(version.createdAt);
  const remove = useMutation({
    mutationFn: () => api.delete(`/projects/${projectId}/dataset/versions/${version.id}` as const),
    onSuccess: async () => {
      onClose();
      toast.success(`Deleted the version of ${when}.`);
      await client.invalidateQueries({ queryKey: keys.project(projectId) });
    },
  });
  return (
    <ConfirmDialog
      open
      title="Delete this version?"
      action="Delete version"
      busy={remove.isPending}
      onCancel={onClose}
      onConfirm={() => remove.mutate()}
    >
      <FormError message={remove.error?.message} />
      <p>
        The version of {when} cannot be restored afterwards. Rows that other versions have stay, and so do the
        models trained on it.
      </p>
    </ConfirmDialog>
  );
}

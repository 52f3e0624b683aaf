"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { ApiError, api, keys } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { ChangeList } from "#components/audit/change-list.tsx";
import { changeResource } from "#components/edit/change-resource.ts";
import { FormError } from "#components/form/server-errors.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { formatDateTime, formatInteger } from "#components/ui/format.ts";
import { ScrollArea } from "#components/ui/scroll-area.tsx";
import { QueryState } from "#components/ui/states.tsx";
import { DataTable } from "#components/ui/table.tsx";
import { counted } from "#lib/contract/counted";
import type { DatasetChanges, DatasetVersion } from "#lib/contract/dataset-versions";
import { rowTime, valueText } from "./row-values.ts";

/** Compares a version with the one before, or shows what its restore changes and confirms it. */
export default function VersionDialog({
  projectId,
  version,
  since,
  onClose,
}: {
  projectId: string;
  version: DatasetVersion;
  /** The current version, to restore `version`; null to compare with the version before. */
  since: DatasetVersion | null;
  onClose(): void;
}) {
  const client = useQueryClient();
  const changes = useQuery(queries.versionChanges(projectId, version.id, since?.id ?? null));
  const restore = useMutation({
    mutationFn: () =>
      changeResource(`/projects/${projectId}/dataset` as const, (stored, etag) => {
        if (stored.id !== since?.id)
          throw new ApiError(0, {
            message: "The dataset has changed elsewhere. Close this dialog, and compare again.",
          });
        const path = `/projects/${projectId}/dataset/versions/${version.id}/restore` as const;
        return api.postTo(path, {}, etag);
      }),
    onSuccess: async () => {
      // Only then: the page behind still compares with the version before.
      await client.invalidateQueries({ queryKey: keys.project(projectId) });
      toast.success(`Restored the version of ${formatDateTime(version.createdAt)}.`);
      onClose();
    },
  });
  return (
    <Dialog
      onClose={onClose}
      width="lg"
      title={since ? "Restore this version?" : "Changes of this version"}
      description={
        since
          ? `The data become as of ${formatDateTime(version.createdAt)}. The current version stays in the history.`
          : `Version of ${formatDateTime(version.createdAt)}, compared with the one before.`
      }
      footer={
        <>
          <Button onClick={onClose}>{since ? "Cancel" : "Close"}</Button>
          {since && (
            <Button
              look="primary"
              busy={restore.isPending}
              disabled={!changes.data}
              onClick={() => restore.mutate()}
            >
              Restore
            </Button>
          )}
        </>
      }
    >
      <QueryState query={changes} rows={4} />
      {changes.data && (
        <ScrollArea label="Changes" className="max-h-[45dvh]">
          <Changes changes={changes.data} />
        </ScrollArea>
      )}
      {restore.error && <FormError message={restore.error.message} />}
    </Dialog>
  );
}

function Changes({ changes }: { changes: DatasetChanges }) {
  const { rowCount, rows, columns, settings, models, scenarios } = changes;
  const { removed, added, changed } = rowCount;
  const names = [
    ...columns.added.map((name) => `Column “${name}” is added.`),
    ...columns.removed.map((name) => `Column “${name}” is removed.`),
  ];
  const nothing = removed + added + changed + names.length + settings.length === 0;
  return (
    <div className="space-y-4 text-[13px]">
      <p className="font-medium">
        {nothing
          ? "Nothing differs."
          : `${counted(removed, "row is", "rows are")} removed, ${formatInteger(added)} added, ${formatInteger(changed)} changed. ${counted(rowCount.after, "row")} remain.`}
      </p>
      {models.length > 0 && (
        <div className="rounded-md bg-warn-wash px-4 py-2.5 text-warn">
          <p>Trained on removed rows:</p>
          <ul className="list-disc pl-5">
            {models.map(({ id, modelName, trainedAt, rows: used }) => (
              <li key={id}>
                {modelName}, {formatDateTime(trainedAt)} ({counted(used, "row")})
              </li>
            ))}
          </ul>
        </div>
      )}
      {scenarios.length > 0 && (
        <div className="rounded-md bg-warn-wash px-4 py-2.5 text-warn">
          <p>Compared with removed rows as actuals:</p>
          <ul className="list-disc pl-5">
            {scenarios.map(({ id, title, rows: used }) => (
              <li key={id} className="wrap-anywhere">
                {title} ({counted(used, "row")})
              </li>
            ))}
          </ul>
        </div>
      )}
      {names.length > 0 && <p className="wrap-anywhere">{names.join(" ")}</p>}
      {settings.length > 0 && <ChangeList changes={settings} />}
      {rows.length > 0 && (
        <div className="rounded-md border">
          <DataTable
            rows={rows}
            keyOf={({ kind, row }) => `${kind} ${row}`}
            columns={[
              ["Row", ({ row, timestamp }) => rowTime(row, timestamp), "whitespace-nowrap align-top"],
              ...(rows.some(({ series }) => series !== undefined)
                ? [["Series", ({ series = {} }) => Object.values(series).join(", "), "align-top"] as const]
                : []),
              ["Difference", ({ kind }) => kind, "align-top"],
              [
                "Values",
                ({ values }) => (
                  <ul>
                    {values.map(({ column, before, after }) => (
                      <li key={column} className="wrap-anywhere">
                        {column}: {before !== null && valueText(before)}
                        {before !== null && after !== null && " → "}
                        {after !== null && <span className="font-medium">{valueText(after)}</span>}
                      </li>
                    ))}
                  </ul>
                ),
              ],
            ]}
          />
        </div>
      )}
    </div>
  );
}

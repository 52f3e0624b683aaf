"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { queries } from "#components/api/queries.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { formatInteger } from "#components/ui/format.ts";
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

/** Lists the versions of the dataset, which can be compared and restored. */
export function HistoryCard({ projectId }: { projectId: string }) {
  const versions = useQuery(queries.versions(projectId));
  const nameOf = useMemberNames();
  const [shown, setShown] = useState<{ version: DatasetVersion; since: DatasetVersion | null } | null>(null);
  const rows = versions.data ?? [];
  const current = rows[0];
  return (
    <Card>
      <CardHeader
        title="History"
        description="The last ten versions of the data. Restoring one makes a new version, which can be undone too."
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
                  {at > 0 && (
                    <Button size="sm" onClick={() => setShown({ version, since: current })}>
                      Restore
                    </Button>
                  )}
                </span>
              ),
            ],
          ]}
        />
      )}
      {shown && <VersionDialog projectId={projectId} {...shown} onClose={() => setShown(null)} />}
    </Card>
  );
}

"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "#components/api/queries.ts";
import { queryOf } from "#components/api/query-of.ts";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Select } from "#components/ui/input.tsx";
import { ScrollArea } from "#components/ui/scroll-area.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { EmptyState, QueryState } from "#components/ui/states.tsx";
import type { AuditEntityType } from "#lib/contract/audit";
import { AuditTable } from "./audit-table.tsx";

/** Lists changes, newest first: of one project, or of all projects without `projectId`. */
export function AuditLog({ projectId }: { projectId?: string }) {
  const [filter, setFilter] = useState({ entityType: "", actorId: "" });
  const query = queryOf(filter);
  const log = useInfiniteQuery(projectId ? queries.audit(projectId, query) : queries.allAudit(query));
  const entries = log.data ?? [];
  const members = useQuery(queries.members());
  const change = (name: keyof typeof filter) => (event: { target: { value: string } }) =>
    setFilter({ ...filter, [name]: event.target.value });
  return (
    <Card>
      <CardHeader
        title={projectId ? "Audit log" : "All changes"}
        description={
          projectId
            ? "Changes in this project, newest first."
            : "In all projects, to members and to roles, newest first."
        }
        actions={
          <>
            <Select
              aria-label="Kind"
              className="w-40!"
              value={filter.entityType}
              onChange={change("entityType")}
              options={(Object.keys(kinds) as AuditEntityType[])
                .filter((type) => type !== "member" || !projectId)
                .map((type) => [type, kinds[type]])}
            >
              <option value="">Everything</option>
            </Select>
            <Select
              aria-label="Member"
              className="w-40!"
              value={filter.actorId}
              onChange={change("actorId")}
              options={members.data?.map(({ id, name }) => [id, name])}
            >
              <option value="">All members</option>
            </Select>
          </>
        }
      />
      <QueryState query={log} />
      {log.data && entries.length === 0 && (
        <EmptyState title={query ? "No matching entries" : "No entries yet"}>
          {query ? "Choose another kind or another member." : "Changes appear here."}
        </EmptyState>
      )}
      {entries.length > 0 && (
        <ScrollArea label="Audit log" className={projectId ? "max-h-120" : ""}>
          <AuditTable entries={entries} withProject={!projectId} />
        </ScrollArea>
      )}
      <ShowMore list={log}>Show older entries</ShowMore>
    </Card>
  );
}

const kinds: Record<AuditEntityType, string> = {
  project: "Projects",
  dataset: "Data",
  upload: "Uploads",
  model: "Models",
  checkpoint: "Checkpoints",
  scenario: "Scenarios",
  comparison: "Comparisons",
  job: "Jobs",
  "api-key": "API keys",
  member: "Members",
};

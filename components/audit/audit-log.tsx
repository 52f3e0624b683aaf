"use client";

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "#components/api/queries.ts";
import { queryOf } from "#components/api/query-of.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { classNames } from "#components/ui/class-names.ts";
import { Select } from "#components/ui/input.tsx";
import { Link } from "#components/ui/link.tsx";
import { ScrollArea } from "#components/ui/scroll-area.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { EmptyState, QueryState } from "#components/ui/states.tsx";
import { Table, Td, Th } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import type { AuditEntityType, AuditEntry } from "#lib/contract/audit";
import { actionText, actionTone } from "./audit-text.ts";
import { ChangeList } from "./change-list.tsx";

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
  webhook: "Webhooks",
  member: "Members",
};

/** On narrow screens, a row is a line of words with the name and the changes below. */
const rowClass = "align-top max-sm:flex max-sm:flex-wrap max-sm:gap-x-2 max-sm:px-5 max-sm:pt-2.5";
const wordClass = "max-sm:border-0! max-sm:p-0!";

const tones = { bad: "text-bad", accent: "text-accent", none: "text-ink-soft" };

/** Lists entries of the audit log. `withProject` adds a column for entries of several projects. */
function AuditTable({
  entries,
  withProject = false,
}: {
  entries: readonly AuditEntry[];
  withProject?: boolean;
}) {
  return (
    <Table className="max-sm:block max-sm:[&>tbody]:block">
      <thead className="sticky top-0 z-10 bg-surface max-sm:sr-only">
        <tr>
          <Th>Member</Th>
          <Th>Action</Th>
          <Th>Name and changes</Th>
          {withProject && <Th>Project</Th>}
          <Th className="text-right">Time</Th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id} className={rowClass}>
            <Td className={classNames("whitespace-nowrap", wordClass)}>
              {entry.actorName ?? (entry.actorId === "system" ? "the demo" : "a former member")}
              {entry.apiKeyId && (
                <span className="ml-2">
                  <Badge>API key</Badge>
                </span>
              )}
            </Td>
            <Td className={classNames("whitespace-nowrap", wordClass, tones[actionTone(entry)])}>
              {actionText(entry)}
            </Td>
            <Td className="max-w-72 min-w-48 max-sm:order-last max-sm:w-full max-sm:max-w-none max-sm:px-0! max-sm:pt-1! lg:max-w-96">
              <div className="truncate" title={entry.label ?? undefined}>
                {entry.label ?? "–"}
              </div>
              {entry.changes && <ChangeList changes={entry.changes} />}
            </Td>
            {withProject && (
              <Td
                className={classNames("max-w-48 truncate", wordClass)}
                title={entry.projectName ?? undefined}
              >
                <Project entry={entry} />
              </Td>
            )}
            <Td className={classNames("text-right whitespace-nowrap text-ink-faint", wordClass)}>
              <Time at={entry.at} />
            </Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function Project({ entry: { projectId, projectName } }: { entry: AuditEntry }) {
  if (projectId === null) return <span className="text-ink-faint">all projects</span>;
  if (projectName === null) return <span className="text-ink-faint">deleted</span>;
  return (
    <Link className="rounded-sm text-accent hover:underline" href={`/projects/${projectId}/settings`}>
      {projectName}
    </Link>
  );
}

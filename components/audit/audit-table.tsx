import { Badge } from "#components/ui/badge.tsx";
import { classNames } from "#components/ui/class-names.ts";
import { Link } from "#components/ui/link.tsx";
import { Table, Td, Th } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import type { AuditEntry } from "#lib/contract/audit";
import { actionText, actionTone } from "./audit-text.ts";

const tones = { bad: "text-bad", accent: "text-accent", none: "text-ink-soft" };

/** Lists entries of the audit log. `withProject` adds a column for entries of several projects. */
export function AuditTable({
  entries,
  withProject = false,
}: {
  entries: readonly AuditEntry[];
  withProject?: boolean;
}) {
  return (
    <Table>
      <thead className="sticky top-0 z-10 bg-surface">
        <tr>
          <Th>Member</Th>
          <Th>Action</Th>
          <Th>Name</Th>
          {withProject && <Th>Project</Th>}
          <Th className="text-right">Time</Th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <Td className="whitespace-nowrap">
              {entry.actorName ?? (entry.actorId === "system" ? "the demo" : "a former member")}
              {entry.apiKeyId && (
                <span className="ml-2">
                  <Badge>API key</Badge>
                </span>
              )}
            </Td>
            <Td className={classNames("whitespace-nowrap", tones[actionTone(entry)])}>{actionText(entry)}</Td>
            <Td className="max-w-48 truncate lg:max-w-64" title={entry.label ?? undefined}>
              {entry.label ?? "–"}
            </Td>
            {withProject && (
              <Td className="max-w-48 truncate" title={entry.projectName ?? undefined}>
                <Project entry={entry} />
              </Td>
            )}
            <Td className="text-right whitespace-nowrap text-ink-faint">
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

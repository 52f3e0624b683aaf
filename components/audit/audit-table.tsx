import { Badge } from "#components/ui/badge.tsx";
import { classNames } from "#components/ui/class-names.ts";
import { Link } from "#components/ui/link.tsx";
import { Table, Td, Th } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import type { AuditEntry } from "#lib/contract/audit";
import { actionText, actionTone } from "./audit-text.ts";
import { ChangeList } from "./change-list.tsx";

/** On narrow screens, a row is a line of words with the name and the changes below. */
const rowClass = "align-top max-sm:flex max-sm:flex-wrap max-sm:gap-x-2 max-sm:px-5 max-sm:pt-2.5";
const wordClass = "max-sm:border-0! max-sm:p-0!";

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

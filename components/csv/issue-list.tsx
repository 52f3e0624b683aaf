import { Badge } from "#components/ui/badge.tsx";
import { formatInteger } from "#components/ui/format.ts";
import { ScrollArea } from "#components/ui/scroll-area.tsx";
import { DataTable } from "#components/ui/table.tsx";
import { pageWords } from "./page-words.ts";

type ShownIssue = {
  row?: number | null | undefined;
  column?: string | null | undefined;
  value?: string | null | undefined;
  message: string;
};

/** Lists validation issues with their position, for issues found in the browser and by the service. */
export function IssueList({
  issues,
  total = issues.length,
}: {
  issues: readonly ShownIssue[];
  total?: number;
}) {
  if (issues.length === 0) return null;
  return (
    <div role="alert" className="rounded-md border border-bad/30">
      <p className="flex items-center gap-2 px-4 py-2.5 text-[13px] font-medium">
        <Badge tone="bad">{formatInteger(total)}</Badge>
        {total === 1 ? "issue in the file" : "issues in the file"}
        {total > issues.length && <span className="text-ink-faint">· showing the first {issues.length}</span>}
      </p>
      <ScrollArea label="Issues" className="max-h-56 border-t">
        <DataTable
          rows={issues}
          keyOf={({ row, column, message }) => `${row}-${column}-${message}`}
          columns={[
            ["Row", ({ row, column }) => row ?? (column ? "header" : "–")],
            ["Column", ({ column }) => column ?? "–", "font-mono text-xs"],
            [
              "Value",
              ({ value }) => <span title={value ?? undefined}>{value ?? "–"}</span>,
              "max-w-40 truncate font-mono text-xs",
            ],
            ["Issue", ({ message }) => pageWords(message)],
          ]}
        />
      </ScrollArea>
    </div>
  );
}

/** Excludes the generation methods, which the scenario's page shows separately. */
const isNote = (warning: { code?: string }) => warning.code === "generated_input";

export function WarningList({ warnings }: { warnings: readonly { code?: string; message: string }[] }) {
  const worries = warnings.filter((warning) => !isNote(warning));
  if (worries.length === 0) return null;
  return (
    <ScrollArea label="Warnings" className="max-h-44 rounded-md bg-warn-wash px-4 py-2.5">
      <ul className="space-y-1 text-[13px] text-warn">
        {worries.map(({ message }) => (
          <li key={message}>{pageWords(message)}</li>
        ))}
      </ul>
    </ScrollArea>
  );
}

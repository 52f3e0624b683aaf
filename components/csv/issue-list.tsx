import { Badge } from "#components/ui/badge.tsx";
import { formatInteger } from "#components/ui/format.ts";
import { ScrollArea } from "#components/ui/scroll-area.tsx";
import { Table, Td, Th } from "#components/ui/table.tsx";

export type ShownFault = {
  row?: number | null | undefined;
  column?: string | null | undefined;
  value?: string | null | undefined;
  message: string;
};

/** What is wrong and where; the same for faults found in the browser and by the service. */
export function FaultList({
  faults,
  total = faults.length,
}: {
  faults: readonly ShownFault[];
  total?: number;
}) {
  if (faults.length === 0) return null;
  return (
    <div role="alert" className="rounded-md border border-bad/30">
      <p className="flex items-center gap-2 px-4 py-2.5 text-[13px] font-medium">
        <Badge tone="bad">{formatInteger(total)}</Badge>
        {total === 1 ? "fault in the file" : "faults in the file"}
        {total > faults.length && (
          <span className="text-ink-faint">· the first {faults.length} are listed</span>
        )}
      </p>
      <ScrollArea label="Faults" className="max-h-56 border-t">
        <Table>
          <thead>
            <tr>
              <Th>Row</Th>
              <Th>Column</Th>
              <Th>Value</Th>
              <Th>What is wrong</Th>
            </tr>
          </thead>
          <tbody>
            {faults.map((fault) => (
              <tr key={`${fault.row}-${fault.column}-${fault.message}`}>
                <Td className="figures">{fault.row ?? (fault.column ? "header" : "–")}</Td>
                <Td className="font-mono text-xs">{fault.column ?? "–"}</Td>
                <Td className="max-w-40 truncate font-mono text-xs">{fault.value ?? "–"}</Td>
                <Td>{fault.message}</Td>
              </tr>
            ))}
          </tbody>
        </Table>
      </ScrollArea>
    </div>
  );
}

/** How each input was generated is nothing to worry about; the scenario's page draws it. */
const isNote = (warning: { code?: string }) => warning.code === "generated_input";

export function WarningList({ warnings }: { warnings: readonly { code?: string; message: string }[] }) {
  const worries = warnings.filter((warning) => !isNote(warning));
  if (worries.length === 0) return null;
  return (
    <ScrollArea label="Warnings" className="max-h-44 rounded-md bg-warn-wash px-4 py-2.5">
      <ul className="space-y-1 text-[13px] text-warn">
        {worries.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
    </ScrollArea>
  );
}

import type { CsvPreview } from "#components/csv/preview-csv.ts";
import { Button } from "#components/ui/button.tsx";
import { proposeReading } from "#lib/engine/csv/propose-reading";
import { type ReadingOptions, withChoice } from "./reading-options.tsx";
import { type Roles, withTimestamp } from "./roles.ts";

/** Proposes the times, formats and missing values that the file suggests. */
export function ReadingProposals({
  preview,
  roles,
  onRoles: setRoles,
  reading,
  onReading: setReading,
}: {
  preview: CsvPreview;
  roles: Roles;
  onRoles(roles: Roles): void;
  reading: ReadingOptions;
  onReading(reading: ReadingOptions): void;
}) {
  const { numberFormats: formats, missing, columnFormats } = proposeReading(preview.columns, reading);
  const timeLike =
    roles.timestamp.length > 0
      ? undefined
      : preview.columns.find(({ mayBeTime }) => mayBeTime === true)?.name;
  const times = roles.timestamp.length > 0 ? null : preview.proposedTimes;
  return (
    <>
      {timeLike !== undefined && (
        <Proposal
          text={`The numbers of ${timeLike} look like times.`}
          action={`Use ${timeLike} as the timestamp`}
          onUse={() => setRoles(withTimestamp(roles, [timeLike]))}
        />
      )}
      {times !== null && (
        <Proposal
          text={`${times.join(", ")} look like times.`}
          action={`Use ${times.join(", ")} as the timestamp`}
          onUse={() => setRoles(withTimestamp(roles, times))}
        />
      )}
      {preview.partColumns !== null && (
        <Proposal
          text="Times repeat. Is the rest of the time in another column?"
          action={`Use ${preview.partColumns.join(", ")}`}
          onUse={() =>
            setRoles(withTimestamp(roles, [...roles.timestamp.slice(0, 1), ...preview.partColumns!]))
          }
        />
      )}
      {formats.length > 0 && (
        <Proposal
          text={`${formats.map(({ column }) => column).join(", ")}: numbers with a unit, digit grouping or another decimal mark.`}
          action="Read as numbers"
          onUse={() => setReading({ ...reading, numberFormats: [...reading.numberFormats, ...formats] })}
        />
      )}
      {Object.keys(columnFormats).length > 0 && (
        <Proposal
          text={Object.entries(columnFormats)
            .map(([name, format]) => `${name}: numbers in the format ${format}`)
            .join(", ")}
          action="Read as numbers"
          onUse={() => setReading(withChoice(reading, { columnFormats }))}
        />
      )}
      {missing.length > 0 && (
        <Proposal
          text={`Columns of numbers contain ${missing.map((text) => `"${text}"`).join(", ")}.`}
          action="Read as missing"
          onUse={() => setReading({ ...reading, missing: [...reading.missing, ...missing] })}
        />
      )}
    </>
  );
}

/** Proposes a way to read the file that removes issues. */
function Proposal({ text, action, onUse }: { text: string; action: string; onUse(): void }) {
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-3 rounded-md border border-accent/40 bg-accent-wash/40 px-4 py-2.5"
    >
      <p className="min-w-56 flex-1 text-[13px] font-medium [overflow-wrap:anywhere]">{text}</p>
      <Button size="sm" look="primary" onClick={onUse}>
        {action}
      </Button>
    </div>
  );
}

import { ChevronRight } from "lucide-react";
import { useId } from "react";
import { Select } from "#components/ui/input.tsx";
import { backTo, type PanelChoice, type PanelColumn, splitBy, splitColumns, stepsOf } from "./panel-state.ts";

/** The chosen groups, from all series to one. Each leads back. A field beside them chooses the column to split by. Empty for one series. */
export function PanelPath({
  choice,
  columns,
  onChange,
}: {
  choice: Pick<PanelChoice, "where" | "by">;
  columns: readonly PanelColumn[];
  onChange(change: Partial<PanelChoice>): void;
}) {
  const steps = stepsOf(choice, columns);
  const possible = splitColumns(choice, columns);
  const selectId = useId();
  if (columns.length === 0) return null;
  const names = ["All series", ...steps.map(({ column, value }) => `${column}: ${value || "none"}`)];
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-[13px]">
      <nav aria-label="Chosen series">
        <ol className="flex flex-wrap items-center gap-1">
          {names.map((name, at) => (
            <li key={name} className="flex items-center gap-1">
              {at > 0 && <ChevronRight aria-hidden="true" className="size-3.5 text-ink-faint" />}
              {at === steps.length ? (
                <span aria-current="true" dir="auto" className="font-medium [overflow-wrap:anywhere]">
                  {name}
                </span>
              ) : (
                <button
                  type="button"
                  dir="auto"
                  className="rounded-sm text-accent underline [overflow-wrap:anywhere]"
                  onClick={() => onChange(backTo(choice, at, columns))}
                >
                  {name}
                </button>
              )}
            </li>
          ))}
        </ol>
      </nav>
      {possible.length > 0 && (
        <label htmlFor={selectId} className="flex items-center gap-2 text-ink-soft print:hidden">
          Split by
          <Select
            id={selectId}
            className="!w-auto max-w-48"
            value={splitBy(choice, columns) ?? ""}
            onChange={({ target }) => onChange({ by: target.value })}
            options={possible.map((column) => [column, column])}
          />
        </label>
      )}
    </div>
  );
}

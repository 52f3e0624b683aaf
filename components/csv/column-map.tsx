"use client";

import { ArrowRight } from "lucide-react";
import { useId, useState } from "react";
import { ownOf } from "#components/display/shown.ts";
import { Button } from "#components/ui/button.tsx";
import { counted } from "#lib/contract/counted";
import { ColumnSelect } from "./column-select.tsx";
import { type FileColumn, proposeColumns, type WantedColumn } from "./propose-columns.ts";
import type { ColumnNames } from "./use-column-names.ts";

/** Matches columns with other names: proposes similar names and values, and one click applies them. */
export function ColumnMap({
  header,
  wanted,
  values,
  columns,
}: {
  header: readonly string[];
  wanted: readonly WantedColumn[];
  /** Values of the file's columns. */
  values: readonly FileColumn[];
  columns: ColumnNames;
}) {
  const renamed = Object.entries(columns.names);
  const proposal = proposeColumns(header, wanted, values);
  const isOpen = proposal.missing.length > 0 && proposal.free.length > 0;
  return (
    <>
      {renamed.length > 0 && (
        <div role="status" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[13px] text-ink-soft">
          <span>
            Read{" "}
            {renamed.map(([from, to], index) => (
              <span key={from}>
                {index > 0 && ", "}“{from}” as <span className="font-mono text-xs">{to}</span>
              </span>
            ))}
            .
          </span>
          <Button size="sm" look="quiet" onClick={columns.undo}>
            Undo
          </Button>
        </div>
      )}
      {isOpen && (
        // A new file or applied names need new proposals.
        <MapForm key={JSON.stringify([header, proposal.missing])} {...proposal} onApply={columns.rename} />
      )}
    </>
  );
}

function MapForm({
  missing,
  free,
  nearest,
  onApply,
}: ReturnType<typeof proposeColumns> & { onApply(names: Record<string, string>): void }) {
  const id = useId();
  const [chosen, setChosen] = useState<Record<string, string>>(nearest);
  const taken = Object.values(chosen).filter((column) => column !== "");
  const isDouble = new Set(taken).size < taken.length;
  return (
    <fieldset className="min-w-0 rounded-md border border-accent/40 bg-accent-wash/40 p-4">
      <legend className="sr-only">Match columns with other names</legend>
      <p className="mb-3 text-[13px] font-medium">
        {counted(missing.length, "column is", "columns are")} missing. Do any of the file's columns match?
      </p>
      <ul className="max-h-56 space-y-2 overflow-y-auto p-0.5">
        {missing.map(({ name, required }) => (
          <li key={name} className="grid items-center gap-x-3 gap-y-1 sm:grid-cols-[1fr_auto_1fr]">
            <ColumnSelect
              id={`${id}-${name}`}
              aria-label={`File column for ${name}`}
              className="h-8! text-[13px]"
              names={free}
              value={ownOf(chosen, name) ?? ""}
              none="No match"
              onChange={(column) => setChosen({ ...chosen, [name]: column })}
            />
            <ArrowRight className="hidden size-4 text-ink-faint sm:block" aria-hidden="true" />
            <label htmlFor={`${id}-${name}`} className="min-w-0 text-[13px]">
              is <span className="font-mono text-xs font-medium break-all">{name}</span>
              {!required && <span className="ml-1.5 text-xs text-ink-faint">optional</span>}
            </label>
          </li>
        ))}
      </ul>
      <div className="mt-3 flex flex-wrap items-center gap-3">
        <Button
          size="sm"
          look="primary"
          disabled={taken.length === 0 || isDouble}
          onClick={() =>
            onApply(
              Object.fromEntries(
                Object.entries(chosen).flatMap(([name, column]) => (column === "" ? [] : [[column, name]])),
              ),
            )
          }
        >
          Use these names
        </Button>
        <span className="text-xs text-ink-faint">
          {isDouble ? "You can use each column only once." : "The file on disk does not change."}
        </span>
      </div>
    </fieldset>
  );
}

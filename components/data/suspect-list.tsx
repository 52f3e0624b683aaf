"use client";

import { useMay } from "#components/api/viewer.tsx";
import { Button } from "#components/ui/button.tsx";
import type { Dataset } from "#lib/contract/datasets";
import type { Warning } from "#lib/contract/warnings";
import { useUpdateDataset } from "./use-update-dataset.ts";

type Suspicion = Warning & { columns: string[] };

const isSuspicion = (warning: Warning): warning is Suspicion => (warning.columns?.length ?? 0) > 0;

/** Returns the warnings that `SuspectList` does not show. */
export function otherWarnings(dataset: Dataset): Warning[] {
  return dataset.warnings.filter((warning) => !isSuspicion(warning));
}

/** Lists columns that models should not use, and excludes or confirms them. Nothing without such columns. */
export function SuspectList({ projectId, dataset }: { projectId: string; dataset: Dataset }) {
  const update = useUpdateDataset(projectId);
  const mayChange = useMay()("updateDataset");
  const suspicions = dataset.warnings.filter(isSuspicion);
  const { confirmed } = dataset;
  if (suspicions.length === 0 && confirmed.length === 0) return null;
  const exclude = (columns: string[]) =>
    update.mutate({
      change: { list: "exclude", add: columns, remove: [] },
      done: `Excluded ${columns.join(", ")}.`,
    });
  const confirm = (columns: string[]) =>
    update.mutate({
      change: { list: "confirmed", add: columns, remove: [] },
      done: `Confirmed ${columns.join(", ")}.`,
    });
  return (
    <section aria-label="Columns to check" className="space-y-2">
      {suspicions.length > 0 && (
        <ul className="divide-y divide-warn/20 rounded-md bg-warn-wash">
          {suspicions.map(({ code, columns, message }) => (
            <li
              key={`${code} ${columns.join()}`}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2.5"
            >
              <p className="min-w-56 flex-1 text-[13px] text-warn [overflow-wrap:anywhere]">{message}</p>
              {mayChange && (
                <div className="flex flex-wrap gap-2">
                  <Button size="sm" disabled={update.isPending} onClick={() => exclude(columns)}>
                    Exclude {named(columns)}
                  </Button>
                  <Button
                    size="sm"
                    look="quiet"
                    disabled={update.isPending}
                    onClick={() => confirm(columns)}
                    aria-label={`Keep ${named(columns)} as input`}
                  >
                    Keep
                  </Button>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
      {confirmed.length > 0 && (
        <p className="flex flex-wrap items-center gap-x-3 text-[13px] text-ink-soft">
          <span className="min-w-0 [overflow-wrap:anywhere]">
            Confirmed as known before the target:{" "}
            <span className="font-mono text-xs">{confirmed.join(", ")}</span>
          </span>
          {mayChange && (
            <Button
              size="sm"
              look="quiet"
              disabled={update.isPending}
              onClick={() =>
                update.mutate({
                  change: { list: "confirmed", add: [], remove: confirmed },
                  done: "Warnings are shown again.",
                })
              }
            >
              Warn again
            </Button>
          )}
        </p>
      )}
    </section>
  );
}

/** Names columns on a button: the column itself, or the number of columns with long names. */
function named(columns: readonly string[]): string {
  const text = columns.join(", ");
  if (text.length <= 32) return text;
  return columns.length === 1 ? "the column" : `the ${columns.length} columns`;
}

"use client";

import { Link2, ListPlus, ZoomOut } from "lucide-react";
import { toast } from "sonner";
import { Button } from "#components/ui/button";
import { classNames } from "#components/ui/class-names";
import { type CompareState, type View, views } from "./compare-state.tsx";

const names: Record<View, string> = {
  value: "Predictions",
  difference: "Differences",
  cumulative: "Cumulative",
  table: "Table",
};

async function copyLink() {
  try {
    await navigator.clipboard.writeText(location.href);
    toast.success("Link copied. It opens exactly what you see.");
  } catch {
    toast.error("The browser did not allow copying. Copy the address from its bar.");
  }
}

export function CompareToolbar({
  state,
  hasBands,
  onChange,
  onPick,
}: {
  state: CompareState;
  hasBands: boolean;
  onChange(change: Partial<CompareState>): void;
  onPick(): void;
}) {
  const zoomed = state.from !== null || state.to !== null;
  return (
    <div className="flex flex-wrap items-center gap-2 border-b px-4 py-3">
      <fieldset className="flex rounded-md border border-line-strong p-0.5">
        <legend className="sr-only">View</legend>
        {views.map((view) => (
          <button
            key={view}
            type="button"
            aria-pressed={state.view === view}
            onClick={() => onChange({ view })}
            className={classNames(
              "rounded-sm px-2.5 py-1 text-[13px] font-medium",
              state.view === view ? "bg-accent-wash text-accent" : "text-ink-soft hover:text-ink",
            )}
          >
            {names[view]}
          </button>
        ))}
      </fieldset>
      {hasBands && state.view === "value" && (
        <label className="flex items-center gap-2 px-2 text-[13px] text-ink-soft">
          <input
            type="checkbox"
            className="size-4 accent-accent"
            checked={state.bands}
            onChange={(event) => onChange({ bands: event.target.checked })}
          />
          90 % interval
        </label>
      )}
      <span className="flex-1" />
      {zoomed && (
        <Button size="sm" onClick={() => onChange({ from: null, to: null })}>
          <ZoomOut className="size-3.5" /> Reset zoom
        </Button>
      )}
      <Button size="sm" onClick={onPick}>
        <ListPlus className="size-3.5" /> Choose scenarios
      </Button>
      <Button size="sm" onClick={copyLink}>
        <Link2 className="size-3.5" /> Copy link
      </Button>
    </div>
  );
}

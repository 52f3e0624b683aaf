"use client";

import { Link2, ListPlus, ZoomOut } from "lucide-react";
import type { ReactNode } from "react";
import { BucketControl } from "#components/chart/bucket-control.tsx";
import { BANDS_MAX } from "#components/chart/lines.ts";
import type { PreparedComparison } from "#components/chart/prepare-comparison.ts";
import type { Span } from "#components/chart/scale.ts";
import { SpanInputs } from "#components/form/span-inputs.tsx";
import { Button } from "#components/ui/button.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { copyLink } from "#components/ui/copy-link.ts";
import { Segments } from "#components/ui/segments.tsx";
import { type CompareState, type View, views } from "./compare-query.ts";
import { boundsOf, textOf, textsOf } from "./span-state.ts";

const names: Record<View, string> = {
  value: "Predictions",
  difference: "Differences",
  percent: "Per cent",
  cumulative: "Cumulative",
  multiples: "One by one",
  table: "Table",
};

export function CompareToolbar({
  state,
  prepared,
  full,
  hasActual,
  past,
  onChange,
  onReset,
  onPick,
  children,
}: {
  state: CompareState;
  prepared: PreparedComparison;
  /** First and last row of the whole comparison. */
  full: Span;
  hasActual: boolean;
  /** Values before the predictions, which can be hidden; null if the view has none. */
  past: { isKnown: boolean } | null;
  onChange(change: Partial<CompareState>): void;
  onReset(): void;
  onPick(): void;
  children: ReactNode;
}) {
  const zoomed = state.from !== null || state.to !== null;
  const { kind, buckets, series } = prepared;
  const [first, last] = [textOf(full[0], prepared), textOf(full[1], prepared)];
  const isDrawn = state.view === "value" || state.view === "multiples";
  return (
    <div className="space-y-2 border-b px-5 py-3 print:hidden">
      <div className="flex flex-wrap items-center gap-2">
        <Segments
          label="View"
          options={views.map((view) => [view, names[view]] as const)}
          value={state.view}
          onChange={(view) => onChange({ view })}
        />
        <div className="flex flex-wrap items-center gap-2 xl:ml-auto">
          {zoomed && (
            <Button size="sm" onClick={onReset}>
              <ZoomOut className="size-3.5" /> Reset zoom
            </Button>
          )}
          <Button size="sm" onClick={onPick}>
            <ListPlus className="size-3.5" /> Choose scenarios
          </Button>
          <Button size="sm" onClick={() => copyLink(location.href, "the same view")}>
            <Link2 className="size-3.5" /> Copy link
          </Button>
          {children}
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 text-ink-soft">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 text-[13px]">
          <SpanInputs
            kind={kind === "row" ? "number" : "date"}
            {...{ first, last }}
            span={textsOf(state, prepared)}
            onChange={(change) => onChange(boundsOf(change, prepared))}
          />
        </div>
        {kind === "time" && <BucketControl choice={state} shown={buckets} onChange={onChange} />}
        {series.some(({ band }) => band !== null) && (
          <Checkbox checked={state.bands} onChange={({ target }) => onChange({ bands: target.checked })}>
            {isDrawn && state.ids.length <= BANDS_MAX ? "50, 80 and 90 % intervals" : "90 % interval"}
            {series.length > BANDS_MAX && state.view === "value" && ", drawn for the baseline"}
          </Checkbox>
        )}
        {hasActual && (
          <Checkbox checked={state.actuals} onChange={({ target }) => onChange({ actuals: target.checked })}>
            Actuals
          </Checkbox>
        )}
        {past && (
          <Checkbox
            checked={state.past}
            // Takes its place before the values are loaded, so that the layout does not shift.
            disabled={!past.isKnown}
            onChange={({ target }) => onChange({ past: target.checked })}
          >
            Past
          </Checkbox>
        )}
      </div>
    </div>
  );
}

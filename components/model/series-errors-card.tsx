"use client";

import { useState } from "react";
import { useDisplays } from "#components/display/displays.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { formatDecimals, formatInteger, formatPercent, formatShare } from "#components/ui/format.ts";
import { Segments } from "#components/ui/segments.tsx";
import { DataTable } from "#components/ui/table.tsx";
import type { PanelMetrics } from "#lib/contract/panel-metrics";

type Measure = Pick<PanelMetrics["worst"][number], "mase" | "wape" | "bias">;

const views = [
  ["levels", "By level"],
  ["worst", "Largest errors"],
  ["largest", "Largest series"],
] as const;
type View = (typeof views)[number][0];

const ratio = formatDecimals(2);
const share = (part: number | null | undefined) => (part == null ? "–" : formatShare(part));
const signedShare = (part: number | null) => (part === null ? "–" : formatPercent(100 * part));

/** Shows the errors of a model of many series in back-tests: by level, and of single series. */
export function SeriesErrorsCard({ panel }: { panel: PanelMetrics }) {
  const [view, setView] = useState<View>("levels");
  const displays = useDisplays();
  const nameOf = (by: readonly string[]) =>
    by.length === 0 ? "Total" : by.map((name) => displays(name).name).join(" × ");
  const text = "text-right whitespace-nowrap";
  return (
    <Card>
      <CardHeader
        title="Errors by level and series"
        description={`In back-tests. MASE is a multiple of the error of the seasonal naive forecast${spreadText(panel)}.`}
        actions={<Segments<View> label="Errors shown" options={views} value={view} onChange={setView} />}
      />
      {view === "levels" ? (
        <DataTable
          aria-label="Errors by level"
          rows={panel.levels}
          keyOf={({ by }) => by.join("\0")}
          columns={[
            ["Level", ({ by }) => nameOf(by)],
            ["Sums", ({ groups }) => formatInteger(groups), text],
            ...measures<PanelMetrics["levels"][number]>(text),
            ["90 % coverage", ({ coverage }) => share(coverage), text],
          ]}
        />
      ) : (
        <DataTable
          aria-label={view === "worst" ? "Series with the largest errors" : "Largest series"}
          rows={panel[view]}
          keyOf={({ values }) => JSON.stringify(values)}
          columns={[
            [nameOf(panel.columns), ({ values }) => panel.columns.map((name) => values[name]).join(" × ")],
            ["Actual", ({ actual }) => formatInteger(actual), text],
            ...measures<PanelMetrics["worst"][number]>(text),
          ]}
        />
      )}
    </Card>
  );
}

const measures = <Row extends Measure>(className: string) =>
  [
    ["MASE", ({ mase }: Row) => ratio(mase), className],
    ["Error share", ({ wape }: Row) => share(wape), className],
    ["Bias", ({ bias }: Row) => signedShare(bias), className],
  ] as [string, (row: Row) => string, string][];

/** Returns the range of the middle four fifths of the series. */
function spreadText({ mase }: PanelMetrics): string {
  const [low, high] = [mase[1], mase[9]];
  if (low === undefined || high === undefined) return "";
  return `, from ${ratio(low)} to ${ratio(high)} for four in five series`;
}

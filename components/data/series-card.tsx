"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useDeferredValue, useState } from "react";
import { queries } from "#components/api/queries.ts";
import { queryOf } from "#components/api/query-of.ts";
import { seriesTimes } from "#components/time/period.ts";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { formatDecimals, formatInteger, formatPercent, formatShare } from "#components/ui/format.ts";
import { Input, Select } from "#components/ui/input.tsx";
import { ScrollArea } from "#components/ui/scroll-area.tsx";
import { Segments } from "#components/ui/segments.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { EmptyState, QueryState } from "#components/ui/states.tsx";
import { DataTable } from "#components/ui/table.tsx";
import { counted } from "#lib/contract/counted";
import type { Dataset, DatasetSeries } from "#lib/contract/datasets";
import { limits } from "#lib/contract/limits";
import type { ListedSeries, SeriesListQuery } from "#lib/contract/series";
import { SeriesCharts } from "./series-charts.tsx";

const orders: Record<NonNullable<SeriesListQuery["sort"]>, string> = {
  name: "By name",
  rowCount: "Most rows first",
  firstTimestamp: "Earliest start first",
  lastTimestamp: "Latest end first",
  gaps: "Most gaps first",
  actual: "Largest first",
  mase: "Largest errors first (MASE)",
  wape: "Largest error share first",
  bias: "Most overpredicted first",
};

const views = [
  ["table", "Table"],
  ["charts", "Charts"],
] as const;

/** Describes the series of the dataset, and lists them with their rows, times and gaps. */
export function SeriesCard({
  projectId,
  dataset,
  series,
}: {
  projectId: string;
  dataset: Dataset;
  series: DatasetSeries;
}) {
  const [search, setSearch] = useState("");
  const [view, setView] = useState<"table" | "charts">("table");
  const [sort, setSort] = useState<keyof typeof orders>("name");
  const query = queryOf({ search: useDeferredValue(search).trim(), sort });
  const list = useInfiniteQuery(queries.series(projectId, query));
  const listed = list.data ?? [];
  const time = (at: string) => seriesTimes([at], dataset)[0]!;
  return (
    <Card>
      <CardHeader
        title="Series"
        description={descriptionOf(series)}
        actions={
          <>
            <Segments label="Series as" options={views} value={view} onChange={(next) => setView(next)} />
            <Input
              type="search"
              aria-label="Search series"
              placeholder="Search series"
              maxLength={limits.searchMax}
              className="w-44!"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
            <Select
              aria-label="Order of the series"
              className="w-44!"
              value={sort}
              onChange={(event) => setSort(event.target.value as typeof sort)}
              options={Object.entries(orders)}
            />
          </>
        }
      />
      <ul className="flex flex-wrap gap-2 px-5 pb-4" aria-label="Levels of totals">
        {series.levels.map(({ name, count }) => (
          <li key={name} className="rounded-full border px-2.5 py-0.5 text-xs wrap-anywhere">
            {name} <span className="figures text-ink-faint">{formatInteger(count)}</span>
          </li>
        ))}
      </ul>
      <QueryState query={list} rows={8} />
      {list.data && listed.length === 0 && (
        <EmptyState title="No matching series">Search for a part of a name.</EmptyState>
      )}
      {listed.length > 0 && view === "charts" && (
        <SeriesCharts key={query} projectId={projectId} dataset={dataset} listed={listed} />
      )}
      {listed.length > 0 && view === "table" && (
        <ScrollArea label="Series" className="max-h-96">
          <DataTable
            rows={listed}
            keyOf={({ id }) => id}
            columns={[
              ...series.columns.map((name) => [name, (one: ListedSeries) => one.values[name] ?? ""] as const),
              ["Rows", ({ rowCount }) => formatInteger(rowCount), "text-right"],
              ["First", ({ firstTimestamp }) => time(firstTimestamp), "whitespace-nowrap"],
              ["Last", ({ lastTimestamp }) => time(lastTimestamp), "whitespace-nowrap"],
              ["Gaps", ({ gaps }) => formatInteger(gaps), "text-right"],
              ...(listed.some(({ metrics }) => metrics !== null) ? measures : []),
            ]}
          />
        </ScrollArea>
      )}
      <ShowMore list={list}>Show more series</ShowMore>
    </Card>
  );
}

const ratio = formatDecimals(2);
const share = (part: number | null | undefined) => (part == null ? "–" : formatShare(part));
const signedShare = (part: number | null | undefined) => (part == null ? "–" : formatPercent(100 * part));
const right = "text-right whitespace-nowrap";

/** Errors of the current model in back-tests. */
const measures = [
  ["MASE", ({ metrics }: ListedSeries) => ratio(metrics?.mase ?? null), right],
  ["Error share", ({ metrics }: ListedSeries) => share(metrics?.wape), right],
  ["Bias", ({ metrics }: ListedSeries) => signedShare(metrics?.bias), right],
] as const;

function descriptionOf({ columns, count, minRows, maxRows, ended, short }: DatasetSeries): string {
  const rows =
    minRows === maxRows
      ? `${counted(minRows, "row")} each`
      : `${formatInteger(minRows)} to ${counted(maxRows, "row")} each`;
  const parts = [
    `${counted(count, "series", "series")} by ${columns.join(", ")}, ${rows}`,
    ...(ended > 0 ? [`${formatInteger(ended)} ended early`] : []),
    ...(short > 0 ? [`${formatInteger(short)} short`] : []),
  ];
  return `${parts.join("; ")}.`;
}

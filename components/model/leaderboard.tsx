"use client";

import { ChevronRight } from "lucide-react";
import { Badge } from "#components/ui/badge.tsx";
import { formatNumber } from "#components/ui/format.ts";
import { type DataColumn, DataTable } from "#components/ui/table.tsx";
import type { LeaderboardEntry } from "#lib/contract/leaderboard";
import { LeaderboardBars } from "./leaderboard-picture.tsx";
import { formatMetric, metricName, metricsOf } from "./metric-text.ts";
import {
  backTestText,
  featuresText,
  type MemberRow,
  prepareLeaderboard,
  prepareMembers,
  settingsText,
} from "./prepare-leaderboard.ts";

/** Shows the finalists as a chart and all candidates as a table. */
export function Leaderboard({ entries }: { entries: readonly LeaderboardEntry[] }) {
  const picture = prepareLeaderboard(entries);
  const members = prepareMembers(entries);
  if (!picture) {
    return (
      <>
        {members && <Members {...members} />}
        <LeaderboardTable entries={entries} />
      </>
    );
  }
  return (
    <>
      <LeaderboardBars picture={picture} />
      {members && <Members {...members} />}
      <details className="group border-t">
        <summary className="flex list-none items-center gap-2 px-5 py-2.5 text-[13px] font-medium">
          <ChevronRight className="size-4 text-ink-faint transition-transform group-open:rotate-90" />
          All figures
          {picture.others > 0 && (
            <span className="font-normal text-ink-faint">with {picture.others} eliminated earlier</span>
          )}
        </summary>
        <LeaderboardTable entries={entries} />
      </details>
    </>
  );
}

/** Lists the members of the selected combination. */
function Members({ metric, rows }: { metric: string; rows: readonly MemberRow[] }) {
  return (
    <DataTable
      aria-label="Members of the combination"
      rows={rows}
      keyOf={({ name }) => name}
      columns={[
        ["Member of the combination", ({ name }) => name],
        ["Weight", ({ weight }) => weight, "text-right"],
        [`${metric} alone, validation rows`, ({ error }) => error, "text-right"],
      ]}
    />
  );
}

function LeaderboardTable({ entries }: { entries: readonly LeaderboardEntry[] }) {
  const names = metricsOf(...entries.map(({ validation }) => validation ?? null));
  const tested = entries.some(({ backTest }) => backTest);
  const metric = entries.find(({ backTest }) => backTest)?.backTest?.metric;
  const columns: (DataColumn<LeaderboardEntry> | false)[] = [
    ["Model", nameOf, "whitespace-nowrap"],
    ["Features", featuresText, "min-w-44 text-ink-soft"],
    tested && ["Settings", (entry) => settingsText(entry) || "–", "min-w-44 text-ink-soft"],
    tested && [`Back-tests, ${metricName(metric ?? "")}`, foldsOf, "text-right whitespace-nowrap"],
    ...names.map(
      (name): DataColumn<LeaderboardEntry> => [
        metricName(name),
        ({ validation }) => formatMetric(name, validation?.[name]),
        "text-right whitespace-nowrap",
      ],
    ),
    tested && ["Seconds", ({ seconds }) => formatNumber(seconds ?? null), "text-right text-ink-soft"],
  ];
  // The list never changes, and names may be the same.
  return (
    <DataTable rows={entries} keyOf={(_, at) => at} columns={columns.filter((column) => column !== false)} />
  );
}

function nameOf({ name, chosen }: LeaderboardEntry) {
  return (
    <>
      <span className={chosen ? "font-medium" : undefined}>{name}</span>
      {chosen === true && (
        <span className="ml-2">
          <Badge tone="good">selected</Badge>
        </span>
      )}
    </>
  );
}

function foldsOf(entry: LeaderboardEntry) {
  const folds = entry.backTest?.folds.map((fold) => formatNumber(fold)).join(", ");
  return <span title={folds}>{backTestText(entry)}</span>;
}

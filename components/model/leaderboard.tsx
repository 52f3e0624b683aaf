"use client";

import { ChevronRight } from "lucide-react";
import { Badge } from "#components/ui/badge.tsx";
import { formatNumber } from "#components/ui/format.ts";
import { Table, Td, Th } from "#components/ui/table.tsx";
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
    <Table aria-label="Members of the combination">
      <thead>
        <tr>
          <Th>Member of the combination</Th>
          <Th className="text-right">Weight</Th>
          <Th className="text-right">{metric} alone, validation rows</Th>
        </tr>
      </thead>
      <tbody className="figures">
        {rows.map(({ name, weight, error }) => (
          <tr key={name}>
            <Td>{name}</Td>
            <Td className="text-right">{weight}</Td>
            <Td className="text-right">{error}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

function LeaderboardTable({ entries }: { entries: readonly LeaderboardEntry[] }) {
  const names = metricsOf(...entries.map(({ validation }) => validation ?? null));
  const tested = entries.some(({ backTest }) => backTest);
  const metric = entries.find(({ backTest }) => backTest)?.backTest?.metric;
  return (
    <Table>
      <thead>
        <tr>
          <Th>Model</Th>
          <Th>Features</Th>
          {tested && <Th>Settings</Th>}
          {tested && <Th className="text-right">Back-tests, {metricName(metric ?? "")}</Th>}
          {names.map((name) => (
            <Th key={name} className="text-right">
              {metricName(name)}
            </Th>
          ))}
          {tested && <Th className="text-right">Seconds</Th>}
        </tr>
      </thead>
      <tbody className="figures">
        {entries.map((entry, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and names may be the same
          <tr key={i}>
            <Td className="whitespace-nowrap">
              <span className={entry.chosen ? "font-medium" : undefined}>{entry.name}</span>
              {entry.chosen === true && (
                <span className="ml-2">
                  <Badge tone="good">selected</Badge>
                </span>
              )}
            </Td>
            <Td className="text-ink-soft">{featuresText(entry)}</Td>
            {tested && <Td className="text-ink-soft">{settingsText(entry) || "–"}</Td>}
            {tested && (
              <Td
                className="text-right whitespace-nowrap"
                title={entry.backTest?.folds.map((fold) => formatNumber(fold)).join(", ")}
              >
                {backTestText(entry)}
              </Td>
            )}
            {names.map((name) => (
              <Td key={name} className="text-right whitespace-nowrap">
                {formatMetric(name, entry.validation?.[name])}
              </Td>
            ))}
            {tested && <Td className="text-right text-ink-soft">{formatNumber(entry.seconds ?? null)}</Td>}
          </tr>
        ))}
      </tbody>
    </Table>
  );
}

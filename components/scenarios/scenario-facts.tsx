"use client";

import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { queries } from "#components/api/queries.ts";
import { useCalendar, useDisplays, useTarget } from "#components/display/displays.tsx";
import type { Displays, Shown } from "#components/display/shown.ts";
import { isDayBound, localDay } from "#components/time/local-day.ts";
import { dayText, seriesTimes } from "#components/time/period.ts";
import { Button } from "#components/ui/button.tsx";
import { Facts } from "#components/ui/facts.tsx";
import { formatInteger, formatInterval, utcText } from "#components/ui/format.ts";
import { Link } from "#components/ui/link.tsx";
import { Time } from "#components/ui/time.tsx";
import { instantOf } from "#lib/contract/instant";
import type { Adjustment, Scenario } from "#lib/contract/scenarios";
import { CheckpointLink, UpstreamCheckpoints } from "./upstream-checkpoints.tsx";

const words: Record<Adjustment["operation"], (value: string) => string> = {
  add: (value) => (value.startsWith("-") ? `minus ${value.slice(1)}` : `plus ${value}`),
  multiply: (value) => `times ${value}`,
  set: (value) => `set to ${value}`,
};

/** Describes the times of a step: "from 1 Jun 2026", "to 7 Jun 2026", or "at 2026-06-01 05:00:00 UTC" for one time. */
function timesText({ from, to }: Adjustment, timezone: string | null): string[] {
  // Pages write whole days. Programs also write instants, which are shown with their time.
  const isDay = (time: string) => isDayBound(time, timezone);
  const text = (time: string) =>
    isDay(time)
      ? dayText(localDay(time, timezone), { frequency: "P1D", timezone: null })
      : utcText(new Date(instantOf(time)).toISOString());
  if (from && from === to && !isDay(from)) return [`at ${text(from)}`];
  return [...(from ? [`from ${text(from)}`] : []), ...(to ? [`to ${text(to)}`] : [])];
}

/** Describes a step: "Temp plus 3 °C, from 1 Jun 2026, where Holiday = 1". */
function adjustmentText(step: Adjustment, displays: Displays, timezone: string | null): string {
  const input = displays(step.feature);
  const value = step.operation === "multiply" ? String(step.value) : input.withUnit(String(step.value));
  const parts = [`${input.name} ${words[step.operation](value)}`, ...timesText(step, timezone)];
  for (const { feature, operator, value } of step.where ?? [])
    parts.push(`where ${displays(feature).name} ${operator} ${displays(feature).withUnit(String(value))}`);
  return parts.join(", ");
}

/** Lists a recipe's steps in words, each with a button that removes it where the recipe can be changed. */
export function RecipeText({
  steps,
  onRemove,
}: {
  steps: readonly Adjustment[];
  onRemove?: (index: number) => void;
}) {
  const displays = useDisplays();
  const { timezone } = useCalendar();
  return (
    <ol className="list-decimal space-y-1 pl-5 text-ink-soft">
      {steps.map((step, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same step may be there twice
        <li key={index}>
          {adjustmentText(step, displays, timezone)}
          {onRemove && (
            <Button
              look="quiet"
              size="icon"
              className="!size-6 align-middle"
              aria-label={`Remove change ${index + 1}`}
              onClick={() => onRemove(index)}
            >
              <X className="size-3.5" />
            </Button>
          )}
        </li>
      ))}
    </ol>
  );
}

/** Returns the sum with its interval: "120,451 (90 %: 75,639 – 165,263)". */
function totalFacts(summary: Scenario["summary"], target: Shown): [string, string][] {
  const { sum, sumInterval } = summary ?? {};
  if (sum == null || !sumInterval) return [];
  const percent = Math.round(100 * sumInterval.level);
  return [
    [
      target.head("Total"),
      `${target.format(sum)} (${percent} %: ${formatInterval(sumInterval.lower, sumInterval.upper, target.format)})`,
    ],
  ];
}

/** Returns the share of the intervals' variance due to generated inputs. */
function shareFacts(summary: Scenario["summary"]): [string, string][] {
  const share = summary?.generatedShare;
  if (share == null) return [];
  return [["Due to generated inputs", `${formatInteger(Math.round(100 * share))} % of the variance`]];
}

export function ScenarioFacts({ scenario }: { scenario: Scenario }) {
  const target = useTarget();
  const calendar = useCalendar();
  const base = useQuery({ ...queries.scenario(scenario.projectId, scenario.baseScenarioId), retry: false });
  const sources = {
    Upload: scenario.fileName ? `Uploaded as ${scenario.fileName}` : "Uploaded CSV",
    Generated: "Generated",
    Clone: "Another scenario, adjusted",
  };
  const {
    projectId,
    checkpointId,
    checkpointLabel,
    dependentProjectCheckpoints: pinnedCheckpoints,
  } = scenario;
  const { firstTimestamp, lastTimestamp } = scenario;
  const stretch =
    firstTimestamp && lastTimestamp ? seriesTimes([firstTimestamp, lastTimestamp], calendar) : [];
  const facts: [string, React.ReactNode][] = [
    ["Input", sources[scenario.source]],
    ["Rows", formatInteger(scenario.rowCount)],
    ...stretch.map((time, end): [string, string] => [end === 0 ? "From" : "To", time]),
    [
      "Checkpoint",
      checkpointId === null ? (
        checkpointLabel
      ) : (
        <CheckpointLink key="checkpoint" projectId={projectId} checkpointId={checkpointId}>
          {checkpointLabel}
        </CheckpointLink>
      ),
    ],
    [
      "Upstream checkpoints",
      Object.keys(pinnedCheckpoints).length === 0 ? (
        "none"
      ) : (
        <UpstreamCheckpoints key="upstreams" pinnedCheckpoints={pinnedCheckpoints} />
      ),
    ],
    ...totalFacts(scenario.summary, target),
    ...shareFacts(scenario.summary),
    ["Created", <Time key="created" at={scenario.createdAt} />],
  ];
  return (
    <>
      <div className="px-5 pb-5">
        <Facts facts={facts} />
      </div>
      {scenario.baseScenarioId && (
        <div className="border-t px-5 py-4 text-[13px]">
          <p className="mb-1.5">
            Based on{" "}
            <Link
              className="rounded-sm text-accent underline"
              href={`/projects/${scenario.projectId}/scenarios/${scenario.baseScenarioId}`}
            >
              {base.data ? `“${base.data.title}”` : "another scenario"}
            </Link>
            {scenario.adjustments.length > 0 ? ", with these steps:" : ", without changes."}
          </p>
          <RecipeText steps={scenario.adjustments} />
        </div>
      )}
    </>
  );
}

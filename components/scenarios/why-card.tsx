"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ApiError } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { largestBars, SignedBars } from "#components/chart/signed-bars.tsx";
import { useDisplays, useTarget } from "#components/display/displays.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { formatNumber } from "#components/ui/format.ts";
import { Input } from "#components/ui/input.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import type { Scenario } from "#lib/contract/scenarios";

/** Explains the prediction of one row. */
export function WhyCard({
  scenario: { projectId, id, rowCount },
  run,
  row,
  onRow,
}: {
  scenario: Scenario;
  /** Earlier run that the scenario shows. */
  run?: string;
  /** Number of the row, starting at 1. */
  row: number;
  onRow(row: number): void;
}) {
  const last = rowCount ?? 1;
  const [isEmpty, setEmpty] = useState(false);
  return (
    <Card>
      <CardHeader
        title="Why this prediction"
        description="Contribution of each feature, relative to the base value."
        actions={
          <label htmlFor="contribution-row" className="flex items-center gap-2 text-[13px]">
            Row
            <Input
              id="contribution-row"
              type="number"
              min={1}
              max={last}
              value={isEmpty ? "" : row}
              onChange={({ target: { value } }) => {
                setEmpty(value === "");
                if (value !== "") onRow(Math.min(last, Math.max(1, Math.round(Number(value)) || 1)));
              }}
              onBlur={() => setEmpty(false)}
              className="!w-24"
            />
          </label>
        }
      />
      <ContributionBars projectId={projectId} scenarioId={id} run={run} row={row} />
    </Card>
  );
}

const shown = 10;

/** Draws the largest contributions first, as bars on both sides of zero. */
function ContributionBars({
  projectId,
  scenarioId,
  run,
  row,
}: {
  projectId: string;
  scenarioId: string;
  run: string | undefined;
  row: number;
}) {
  const displays = useDisplays();
  const target = useTarget();
  const { data, error, refetch } = useQuery(queries.contributions(projectId, scenarioId, row, run));
  if (run !== undefined && error instanceof ApiError && error.status === 404) {
    return (
      <p className="px-5 pb-5 text-[13px] text-ink-soft">
        The checkpoint of this run was deleted, so its contributions are no longer known.
      </p>
    );
  }
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (!data) return <SkeletonRows rows={4} />;
  const values = data.values[0] ?? [];
  const isLogOdds = data.scale === "log_odds";
  return (
    <div className="px-5 pb-5">
      <p className="figures mb-3 text-[13px] text-ink-soft">
        {isLogOdds && "Log-odds: "}
        Base value {isLogOdds ? formatNumber(data.baseValue) : target.text(data.baseValue)} →{" "}
        {isLogOdds && `${formatNumber(values.reduce((sum, value) => sum + value, data.baseValue))} · `}
        prediction <span className="font-semibold text-ink">{target.text(data.predictions[0])}</span>
      </p>
      <SignedBars
        bars={largestBars(data, 0, shown, displays)}
        {...(!isLogOdds && { formatOf: (values) => target.formatOf(values) })}
      />
    </div>
  );
}

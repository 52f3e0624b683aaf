import { Card, CardHeader } from "#components/ui/card.tsx";
import { Input } from "#components/ui/input.tsx";
import type { Scenario } from "#lib/contract/scenarios";
import { ContributionBars } from "./contribution-bars.tsx";

/** Explains the prediction of one row. */
export function WhyCard({
  scenario: { projectId, id, rowCount },
  row,
  onRow,
}: {
  scenario: Scenario;
  /** Number of the row, starting at 1. */
  row: number;
  onRow(row: number): void;
}) {
  const last = rowCount ?? 1;
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
              value={row}
              onChange={(event) =>
                onRow(Math.min(last, Math.max(1, Math.round(Number(event.target.value)) || 1)))
              }
              className="!w-24"
            />
          </label>
        }
      />
      <ContributionBars projectId={projectId} scenarioId={id} row={row} />
    </Card>
  );
}

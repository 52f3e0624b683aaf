"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { queries } from "#components/api/queries.ts";
import { useCalendar, useDisplays, useTarget } from "#components/display/displays.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { useDebounced } from "#components/ui/use-debounced.ts";
import { prepareWhy } from "#components/why/prepare-why.ts";
import { ROWS_AT_ONCE, WHY_POINTS } from "#components/why/sizes.ts";
import { WhyParts } from "#components/why/why-parts.tsx";
import type { PreviewRequest } from "#lib/contract/scenario-preview";
import type { Recipe } from "./edits.ts";

/** Delay after a change before it is explained, which takes longer than a prediction. */
const EXPLAIN_AFTER_MS = 400;

/** Explains how edited inputs change a scenario's predictions. */
export function WhyEdited({
  projectId,
  scenario: { id, rowCount },
  chosen,
  recipe,
}: {
  projectId: string;
  scenario: { id: string; rowCount: number | null };
  /** Of many series, those to explain. */
  chosen: Pick<PreviewRequest, "where">;
  recipe: Recipe;
}) {
  const target = useTarget();
  const displays = useDisplays();
  const calendar = useCalendar();
  const settled = useDebounced(recipe, EXPLAIN_AFTER_MS);
  const [requested, setRequested] = useState<Recipe | null>(null);
  // The part of a single input is the whole difference.
  const isOne = new Set(settled.map(({ feature }) => feature)).size <= 1;
  const isExplained = isOne || (rowCount ?? 0) <= ROWS_AT_ONCE || settled === requested;
  const explained = useQuery({
    ...queries.preview(projectId, id, {
      ...chosen,
      adjustments: [...settled],
      maxPoints: WHY_POINTS,
      explain: true,
    }),
    enabled: isExplained,
  });
  const explanation = explained.data?.explanation;
  const prepared = useMemo(
    () =>
      explanation &&
      prepareWhy(
        explanation,
        { baseline: "the saved prediction", scenario: "The edited prediction", checkpoints: "" },
        { target, displays, calendar },
      ),
    [explanation, target, displays, calendar],
  );
  return (
    <Card>
      <CardHeader
        title="Why the prediction changes"
        description="Contribution of each changed input to the difference from the saved prediction."
      />
      <div aria-busy={explained.isFetching || settled !== recipe} className="px-5 pb-5">
        {!isExplained && (
          <Button size="sm" onClick={() => setRequested(settled)}>
            Explain the change
          </Button>
        )}
        {isExplained && explained.error && <ErrorState error={explained.error} onRetry={explained.refetch} />}
        {isExplained && !explained.error && !prepared && <SkeletonRows rows={3} />}
        {isExplained && !explained.error && prepared && <WhyParts prepared={prepared} />}
      </div>
    </Card>
  );
}

"use client";

import { useDisplays } from "#components/display/displays.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { formatDecimals } from "#components/ui/format.ts";
import { DataTable } from "#components/ui/table.tsx";
import type { Model } from "#lib/contract/models";
import { changeText, effectText, expectedText, intervalText, WARNINGS } from "./effect-text.ts";

const correlationText = formatDecimals(2);

/** Shows the effect of each numeric input beside its plain correlation. Renders nothing without such inputs. */
export function EffectsCard({ model: { effects = [], predicts } }: { model: Model }) {
  const displays = useDisplays();
  if (effects.length === 0) return null;
  const means = predicts === "median" ? "Predictions are medians." : "Predictions are means.";
  return (
    <Card>
      <CardHeader
        title="Learned effects"
        description={`Mean effect of each input if the others stay, with its 90 % interval. ${predicts ? means : ""}`}
      />
      <DataTable
        aria-label="Effects of the inputs"
        rows={effects}
        keyOf={({ feature }) => feature}
        columns={[
          ["Input", ({ feature }) => displays(feature).name],
          ["Change", changeText, "whitespace-nowrap"],
          ["Effect", effectText, "text-right whitespace-nowrap"],
          ["90 % interval", intervalText, "text-right whitespace-nowrap"],
          ["Correlation", ({ correlation }) => correlationText(correlation), "text-right"],
          ["Expected", expectedText],
          ["Warning", ({ warning }) => warning && <Badge tone="warn">{WARNINGS[warning]}</Badge>],
        ]}
      />
    </Card>
  );
}

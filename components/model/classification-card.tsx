"use client";

import { useState } from "react";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { formatInteger, formatNumber, roundedPercent } from "#components/ui/format.ts";
import { DataTable } from "#components/ui/table.tsx";
import type { Classification, ThresholdCounts } from "#lib/contract/classification";
import { counted } from "#lib/contract/counted";
import { ReliabilityPlot } from "./reliability-plot.tsx";

/** Shows the reliability of probabilities, and the rows that a threshold puts into each class. */
export function ClassificationCard({
  classification,
  target,
  calibrationError,
}: {
  classification: Classification;
  target: string;
  calibrationError: number | null | undefined;
}) {
  const { classes, reliability, thresholds } = classification;
  const [negative = "", positive = ""] = classes;
  const [at, setAt] = useState(() => thresholds.findIndex(({ threshold }) => threshold === 0.5));
  const counts = thresholds[at];
  const rows = reliability.reduce((sum, bin) => sum + bin.rows, 0);
  return (
    <Card>
      <CardHeader
        title="Reliability and threshold"
        description={calibrationText(rows, calibrationError, positive)}
      />
      <div className="grid grid-cols-1 gap-x-8 gap-y-6 px-5 pb-5 lg:grid-cols-2">
        <ReliabilityPlot reliability={reliability} positive={positive} />
        {counts && (
          <div className="min-w-0 space-y-4">
            <label className="block text-[13px] font-medium">
              Threshold
              <input
                type="range"
                min={0}
                max={thresholds.length - 1}
                value={at}
                onChange={(event) => setAt(Number(event.target.value))}
                aria-valuetext={`${roundedPercent(100 * counts.threshold, 0)} %`}
                className="mt-2 block w-full accent-accent"
              />
            </label>
            <p className="text-[13px] text-ink-soft" aria-live="polite">
              From a probability of {roundedPercent(100 * counts.threshold, 0)} % on, a row counts as{" "}
              {positive}.
            </p>
            <DataTable
              aria-label="Validation rows by class"
              rows={[
                [negative, counts.trueNegatives, counts.falsePositives] as const,
                [positive, counts.falseNegatives, counts.truePositives] as const,
              ]}
              keyOf={([name]) => name}
              columns={[
                [`Actual ${target}`, ([name]) => name],
                [`Predicted ${negative}`, ([, asNegative]) => formatInteger(asNegative), "text-right"],
                [`Predicted ${positive}`, ([, , asPositive]) => formatInteger(asPositive), "text-right"],
              ]}
            />
            <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-1.5 text-[13px]">
              {sharesAt(counts, positive).map(({ name, share }) => (
                <div key={name} className="contents">
                  <dt className="text-ink-faint">{name}</dt>
                  <dd className="figures">{share === null ? "–" : `${roundedPercent(100 * share, 1)} %`}</dd>
                </div>
              ))}
            </dl>
          </div>
        )}
        <details className="text-[13px] lg:col-span-2">
          <summary className="rounded-sm text-ink-soft">Reliability as a table</summary>
          <DataTable
            aria-label="Reliability"
            className="mt-2"
            rows={reliability}
            keyOf={({ predicted }) => predicted}
            columns={[
              ["Predicted probability", ({ predicted }) => formatNumber(predicted), "text-right"],
              [`Observed share of ${positive}`, ({ observed }) => formatNumber(observed), "text-right"],
              ["Rows", (bin) => formatInteger(bin.rows), "text-right"],
            ]}
          />
        </details>
      </div>
    </Card>
  );
}

/** Describes the reliability in words, also for readers who cannot see the plot. */
function calibrationText(rows: number, error: number | null | undefined, positive: string): string {
  const measured = counted(rows, "validation row");
  if (typeof error !== "number") return `${measured}.`;
  const points = roundedPercent(100 * error, 1);
  return `${measured}. Probabilities of ${positive} differ from observed shares by ${points} percentage points on average.`;
}

/** Returns the shares of right decisions at a threshold; null without rows to divide by. */
function sharesAt(counts: ThresholdCounts, positive: string): { name: string; share: number | null }[] {
  const { truePositives, falsePositives, trueNegatives, falseNegatives } = counts;
  const part = (of: number, all: number) => (all > 0 ? of / all : null);
  const all = truePositives + falsePositives + trueNegatives + falseNegatives;
  return [
    { name: "Accuracy", share: part(truePositives + trueNegatives, all) },
    { name: `Right among predicted ${positive}`, share: part(truePositives, truePositives + falsePositives) },
    { name: `Found among actual ${positive}`, share: part(truePositives, truePositives + falseNegatives) },
  ];
}

"use client";

import { useState } from "react";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { formatInteger, formatNumber, roundedPercent } from "#components/ui/format.ts";
import { Table, Td, Th } from "#components/ui/table.tsx";
import type { Classification } from "#lib/contract/classification";
import { calibrationText, sharesAt } from "./prepare-classification.ts";
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
            <Table aria-label="Validation rows by class">
              <thead>
                <tr>
                  <Th>Actual {target}</Th>
                  <Th className="text-right">Predicted {negative}</Th>
                  <Th className="text-right">Predicted {positive}</Th>
                </tr>
              </thead>
              <tbody className="figures">
                <tr>
                  <Td>{negative}</Td>
                  <Td className="text-right">{formatInteger(counts.trueNegatives)}</Td>
                  <Td className="text-right">{formatInteger(counts.falsePositives)}</Td>
                </tr>
                <tr>
                  <Td>{positive}</Td>
                  <Td className="text-right">{formatInteger(counts.falseNegatives)}</Td>
                  <Td className="text-right">{formatInteger(counts.truePositives)}</Td>
                </tr>
              </tbody>
            </Table>
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
          <Table aria-label="Reliability" className="mt-2">
            <thead>
              <tr>
                <Th className="text-right">Predicted probability</Th>
                <Th className="text-right">Observed share of {positive}</Th>
                <Th className="text-right">Rows</Th>
              </tr>
            </thead>
            <tbody className="figures">
              {reliability.map(({ predicted, observed, rows: inBin }) => (
                <tr key={predicted}>
                  <Td className="text-right">{formatNumber(predicted)}</Td>
                  <Td className="text-right">{formatNumber(observed)}</Td>
                  <Td className="text-right">{formatInteger(inBin)}</Td>
                </tr>
              ))}
            </tbody>
          </Table>
        </details>
      </div>
    </Card>
  );
}

"use client";

import { useState } from "react";
import { FeatureName } from "#components/chart/signed-bars.tsx";
import { useDisplays } from "#components/display/displays.tsx";
import { Button } from "#components/ui/button.tsx";
import { formatNumber, formatShare } from "#components/ui/format.ts";
import type { Model } from "#lib/contract/models";
import { importanceRows } from "./importance-rows.ts";

const shownAtFirst = 10;

function shuffledTitle(permutation: number | undefined) {
  if (permutation === undefined) return undefined;
  return `Change of the RMSE with shuffled values: ${formatNumber(permutation)}`;
}

/** Draws the share of each feature, or of each value derived from it; the shares sum to 100 %. */
export function ImportanceBars({ importance }: { importance: Model["importance"] }) {
  const displays = useDisplays();
  const [all, setAll] = useState(false);
  if (importance.length === 0) {
    return <p className="px-5 pb-5 text-[13px] text-ink-faint">Not available for this kind of model.</p>;
  }
  const rows = importanceRows(importance);
  const shown = all ? rows : rows.slice(0, shownAtFirst);
  const largest = Math.max(...rows.map(({ gain }) => gain), Number.MIN_VALUE);
  return (
    <div className="px-5 pb-5">
      <dl className="max-h-96 space-y-1.5 overflow-y-auto text-[13px]">
        {shown.map(({ name, of, gain, permutation }) => (
          <div
            key={`${name} ${of}`}
            title={shuffledTitle(permutation)}
            className="grid grid-cols-[minmax(5rem,11rem)_1fr_4rem] items-center gap-3"
          >
            <FeatureName name={name} of={of} text={of === undefined ? displays(name).name : name} />
            <dd aria-hidden="true" className="h-3 rounded-sm bg-sunken">
              <span
                className="block h-full rounded-sm bg-accent"
                style={{ width: `${(Math.max(0, gain) / largest) * 100}%` }}
              />
            </dd>
            <dd className="figures text-right">{formatShare(gain)}</dd>
          </div>
        ))}
      </dl>
      {rows.length > shownAtFirst && (
        <Button size="sm" look="quiet" className="mt-3 -ml-2.5" onClick={() => setAll(!all)}>
          {all ? "Show the first ten" : `Show all ${rows.length}`}
        </Button>
      )}
    </div>
  );
}

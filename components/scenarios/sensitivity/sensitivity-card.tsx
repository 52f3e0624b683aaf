"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { ApiError } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { useDisplays, useTarget } from "#components/display/displays.tsx";
import { useChangeableInputs } from "#components/scenarios/changeable-inputs.ts";
import { NoInputsNote } from "#components/scenarios/no-inputs-note.tsx";
import { SpanFields } from "#components/scenarios/span-fields.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { ScrollArea } from "#components/ui/scroll-area.tsx";
import { Segments } from "#components/ui/segments.tsx";
import { Skeleton, SkeletonRows } from "#components/ui/skeleton.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import { DataTable } from "#components/ui/table.tsx";
import { WhenSeen } from "#components/ui/when-seen.tsx";
import { limits } from "#lib/contract/limits";
import type { Scenario } from "#lib/contract/scenarios";
import { type PreparedSensitivity, prepareSensitivity, type Statistic } from "./prepare-sensitivity.ts";
import { ResponseCurve, ValueEffects } from "./response-curve.tsx";
import {
  curveQuery,
  type InputChange,
  type SensitivityState,
  sensitivityQuery,
} from "./sensitivity-query.ts";
import { Tornado } from "./tornado.tsx";

/** Number of rows above which effects are computed only on request, because it takes the service seconds. */
const ROWS_AT_ONCE = 5_000;
const changes = [
  ["percent", "± 10 %"],
  ["deviation", "± 1 std. dev."],
  ["range", "Min and max"],
] as const;
const statistics = [
  ["sum", "Sum"],
  ["mean", "Mean"],
] as const;

/** Shows which inputs a scenario's predictions depend on, and how. */
export function SensitivityCard({
  scenario,
  where,
}: {
  scenario: Scenario;
  /** Of many series, those to change. */
  where: readonly string[];
}) {
  const [settings, setState] = useState({ change: "percent" as InputChange, from: "", to: "" });
  const state = { ...settings, where };
  const [statistic, setStatistic] = useState<Statistic>("sum");
  const [isRequested, setRequested] = useState((scenario.rowCount ?? 0) <= ROWS_AT_ONCE);
  const { inputs, error, refetch } = useChangeableInputs(scenario.projectId, scenario.checkpointId);
  const description = "Effect on the predictions if one input changes in all rows of the span.";
  if (!inputs || inputs.length === 0) {
    return (
      <Card>
        <CardHeader title="Sensitivity" description={description} />
        <div className="px-5 pb-5">
          {inputs && <NoInputsNote projectId={scenario.projectId} features={inputs} />}
          {!inputs && error && <ErrorState error={error} onRetry={refetch} />}
          {!inputs && !error && <SkeletonRows rows={5} />}
        </div>
      </Card>
    );
  }
  return (
    <Card>
      <CardHeader
        title="Sensitivity"
        description={description}
        actions={
          <>
            <Segments
              label="Change of the inputs"
              options={changes}
              value={state.change}
              onChange={(change) => setState({ ...settings, change })}
            />
            <Segments
              label="Statistic"
              options={statistics}
              value={statistic}
              onChange={(next) => setStatistic(next)}
            />
          </>
        }
      />
      <div className="px-5 pb-5">
        {scenario.firstTimestamp !== null && (
          <div className="mb-4">
            <SpanFields
              scenario={scenario}
              span={state}
              onChange={(span) => setState({ ...settings, ...span })}
            />
          </div>
        )}
        {isRequested ? (
          <WhenSeen className="min-h-60">
            <Effects scenario={scenario} state={state} statistic={statistic} />
          </WhenSeen>
        ) : (
          <Button size="sm" onClick={() => setRequested(true)}>
            Compute the effects
          </Button>
        )}
      </div>
    </Card>
  );
}

type EffectsProps = { scenario: Scenario; state: SensitivityState; statistic: Statistic };

function Effects({ scenario: { projectId, id }, state, statistic }: EffectsProps) {
  const [chosen, setChosen] = useState<string>();
  const { data, error, refetch } = useQuery(queries.sensitivity(projectId, id, sensitivityQuery(state)));
  const target = useTarget();
  const displays = useDisplays();
  const prepared = useMemo(
    () => data && prepareSensitivity(data, statistic, { target, displays }),
    [data, statistic, target, displays],
  );
  if (error instanceof ApiError && error.details.some(({ code }) => code === "too_many_series")) {
    return (
      <EmptyState title="Too many series">Open a group of at most {limits.whatIfSeries} series.</EmptyState>
    );
  }
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (!prepared) return <SkeletonRows rows={5} />;
  const selected = prepared.features.find(({ name }) => name === chosen) ?? prepared.features[0];
  return (
    <div className="space-y-3">
      <p className="text-[13px] text-ink-soft" aria-live="polite">
        {prepared.summary}
      </p>
      <div className="grid gap-6 xl:grid-cols-2">
        <div className="min-w-0 space-y-3">
          <Tornado prepared={prepared} change={state.change} selected={selected?.name} onSelect={setChosen} />
          <EffectTable prepared={prepared} statistic={statistic} />
        </div>
        {selected && (
          <section aria-label={`Response to ${selected.input.name}`} className="min-w-0">
            <h3 dir="auto" className="mb-2 text-[13px] font-medium" title={selected.name}>
              Response of {target.title} to {selected.input.name}
            </h3>
            {selected.type === "number" ? (
              <Curve projectId={projectId} id={id} query={curveQuery(state, selected.name)} />
            ) : (
              <ValueEffects feature={selected} />
            )}
          </section>
        )}
      </div>
      {prepared.remarks.map((remark) => (
        <p key={remark} className="text-xs text-ink-faint">
          {remark}
        </p>
      ))}
    </div>
  );
}

function Curve({ projectId, id, query }: { projectId: string; id: string; query: string }) {
  const { data, error, refetch } = useQuery(queries.sensitivity(projectId, id, query));
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  const feature = data?.features[0];
  return feature ? <ResponseCurve feature={feature} /> : <Skeleton className="h-65" />;
}

/** Lists the effects as numbers, also for readers who cannot see the picture. */
function EffectTable({ prepared, statistic }: { prepared: PreparedSensitivity; statistic: Statistic }) {
  const { features, base, target } = prepared;
  return (
    <details className="text-[13px]">
      <summary className="rounded-sm text-ink-soft">Effects as a table</summary>
      <ScrollArea label="Effects" className="mt-2 max-h-80 rounded-md border">
        <DataTable
          head="sticky top-0 bg-surface"
          rows={features.flatMap(({ name, input, effects }) =>
            effects.map((effect) => ({ name, input: input.name, ...effect })),
          )}
          keyOf={({ name, text }) => `${name} ${text}`}
          columns={[
            ["Input", ({ input }) => input],
            ["Change", ({ text }) => text, "whitespace-nowrap"],
            [target.head(`Effect on the ${statistic}`), ({ value }) => target.signed(value), "text-right"],
            [
              target.head(statistic === "sum" ? "Sum" : "Mean"),
              ({ value }) => (base === null ? "–" : target.format(base + value)),
              "text-right",
            ],
          ]}
        />
      </ScrollArea>
    </details>
  );
}

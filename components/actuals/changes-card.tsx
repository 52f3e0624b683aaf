"use client";

import { useQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import { useCalendar } from "#components/display/displays.tsx";
import { seriesTimes } from "#components/time/period.ts";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { formatInteger, formatPercent, roundedPercent } from "#components/ui/format.ts";
import type { ModelChanges } from "#lib/contract/actuals";
import { counted } from "#lib/contract/counted";
import type { Model } from "#lib/contract/models";
import { ErrorTable } from "./error-table.tsx";
import { sameRowsErrors, sampledText } from "./same-rows-text.ts";

const shiftsShown = 5;

/** Shows the changes made by the last training. Renders nothing for a project's first model. */
export function ChangesCard({ model }: { model: Model }) {
  const calendar = useCalendar();
  const { data } = useQuery(queries.modelChanges(model.projectId, model.id));
  if (!data || data.beforeId === null) return null;
  const { sameRows, reason, modelName, trainingRows, knownUntil } = data;
  const ends = [knownUntil.before, knownUntil.after];
  const times = seriesTimes(
    ends.filter((at) => at !== null),
    calendar,
  ).values();
  const until = ends.map((at) => (at === null ? "–" : times.next().value)).join(" → ");
  const facts = [
    ["Model", `${modelName.before} → ${modelName.after}`],
    [
      "Trained on",
      `${formatInteger(trainingRows.before)} → ${trainingRows.after === null ? "–" : counted(trainingRows.after, "row")}`,
    ],
    ["Data until", until],
    ["Features", featureText(data)],
    ["Settings", settingText(data)],
    ["Importance", importanceText(data)],
  ];
  return (
    <Card>
      <CardHeader title="Changes since the previous model" description={verdict(data)} />
      {sameRows && (
        <ErrorTable
          first="On the same rows"
          baselineName={null}
          rows={[
            { name: "This model", ...sameRows.after },
            { name: "Previous model", ...sameRows.before },
          ]}
        />
      )}
      <div className="space-y-3 px-5 py-4 text-[13px]">
        {reason && <p className="text-ink-soft">{reason}</p>}
        <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-1.5">
          {facts.map(([name, text]) => (
            <div key={name} className="contents">
              <dt className="text-ink-faint">{name}</dt>
              <dd className="min-w-0 break-words">{text}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Card>
  );
}

export function verdict({ sameRows }: Pick<ModelChanges, "sameRows">): string {
  const errors = sameRowsErrors({ sameRows });
  if (errors === null || sameRows === null) return "The two models were measured on different rows.";
  const { before, after } = errors;
  const change = after === before ? 0 : (100 * (after - before)) / before;
  const of = sameRows.series ? ` of ${sampledText(sameRows.series)}` : "";
  const rows = `${counted(sameRows.after.rows, "row")}${of} that neither model was trained on`;
  if (Math.abs(change) < 0.1) return `On ${rows}, the error is the same as that of the previous model.`;
  // An error of 0 has no percentage.
  const size = before === 0 ? "" : `${roundedPercent(Math.abs(change), 1)} % `;
  return `On ${rows}, the error is ${size}${change < 0 ? "smaller" : "larger"} than that of the previous model.`;
}

function featureText({ features: { added, removed } }: ModelChanges): string {
  const parts = [...added.map((name) => `+ ${name}`), ...removed.map((name) => `− ${name}`)];
  return parts.length === 0 ? "unchanged" : parts.join(", ");
}

function settingText({ settings }: ModelChanges): string {
  const text = (value: unknown) => (value === null ? "default" : JSON.stringify(value));
  if (settings.length === 0) return "unchanged";
  return settings.map(({ name, before, after }) => `${name}: ${text(before)} → ${text(after)}`).join("; ");
}

function importanceText({ importance }: ModelChanges): string {
  const shifts = importance
    .map(({ feature, before, after }) => ({ feature, shift: 100 * ((after ?? 0) - (before ?? 0)) }))
    .filter(({ shift }) => Math.abs(shift) >= 0.1)
    .slice(0, shiftsShown);
  if (shifts.length === 0) return "unchanged";
  return shifts.map(({ feature, shift }) => `${feature} ${formatPercent(shift)}`).join(", ");
}

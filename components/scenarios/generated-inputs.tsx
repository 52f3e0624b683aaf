import { useState } from "react";
import { useDisplays } from "#components/display/displays.tsx";
import type { Shown } from "#components/display/shown.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { formatInteger, formatNumber } from "#components/ui/format.ts";
import { counted } from "#lib/contract/counted";
import type { GeneratedInput } from "#lib/contract/generated-inputs";
import { categoryPicture } from "./category-picture.ts";
import { forecastPicture, pictureHeight, pictureWidth } from "./forecast-picture.ts";

const shownAtFirst = 8;

/** Describes the back-test error: "typical error 0.42 in back-tests from 24 origins". */
export function errorText(
  { error, errorKind, origins, followsDate, plannedRows = 0 }: GeneratedInput,
  input: Shown,
): string {
  if (followsDate) return "known for every date";
  if (plannedRows > 0 && origins === 0 && error === 0) return "known for every row";
  if (error === null) return "too little history for a back-test";
  const size =
    errorKind === "share"
      ? `${formatNumber(100 * error)} % wrong values`
      : `typical error ${input.text(error)}`;
  const planned = plannedRows > 0 ? `${counted(plannedRows, "planned row")}, then ` : "";
  return `${planned}${size} in back-tests from ${counted(origins, "origin")}`;
}

const laneHeight = 12;

/** Draws categories as lanes: the time in which each one holds. */
function CategoryLanes({ input, name }: { input: GeneratedInput; name: string }) {
  const picture = categoryPicture(input);
  if (picture === null) return null;
  const { lanes, split } = picture;
  const height = lanes.length * laneHeight;
  return (
    <div className="mt-2 flex gap-2">
      <svg
        viewBox={`0 0 ${pictureWidth} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${name}: recent history and generated categories, most often ${lanes[0]!.name}`}
        className="h-20 min-w-0 flex-1"
      >
        {lanes.map(({ name, runs }, lane) =>
          runs.map(({ x, width, isGenerated }) => (
            <rect
              key={`${name} ${x}`}
              {...{ x, width, y: lane * laneHeight + 2, height: laneHeight - 4 }}
              className={isGenerated ? "fill-accent" : "fill-ink-faint"}
            />
          )),
        )}
        <line
          x1={split}
          x2={split}
          y1={0}
          y2={height}
          className="stroke-line-strong"
          strokeDasharray="3 3"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      <ul className="flex h-20 w-24 flex-col justify-around text-xs text-ink-faint" aria-hidden="true">
        {lanes.map(({ name }) => (
          <li key={name} className="truncate leading-none" title={name}>
            {name}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Picture({ input, shown }: { input: GeneratedInput; shown: Shown }) {
  const picture = forecastPicture(input);
  if (picture === null) return <CategoryLanes input={input} name={shown.name} />;
  const line = { fill: "none", strokeWidth: 1.5, vectorEffect: "non-scaling-stroke" as const };
  return (
    <div className="mt-2 flex gap-2">
      <svg
        viewBox={`0 0 ${pictureWidth} ${pictureHeight}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${shown.name}: recent history and generated values, from ${shown.format(picture.low)} to ${shown.text(picture.high)}`}
        className="h-20 min-w-0 flex-1"
      >
        {picture.band && <polygon points={picture.band} className="fill-accent-wash" />}
        <line
          x1={picture.split}
          x2={picture.split}
          y1={0}
          y2={pictureHeight}
          className="stroke-line-strong"
          strokeDasharray="3 3"
          vectorEffect="non-scaling-stroke"
        />
        {picture.known.map((points) => (
          <polyline key={points} points={points} className="stroke-ink-faint" {...line} />
        ))}
        {picture.generated.map((points) => (
          <polyline key={points} points={points} className="stroke-accent" {...line} />
        ))}
      </svg>
      <div className="figures flex flex-col justify-between text-xs text-ink-faint" aria-hidden="true">
        <span>{shown.format(picture.high)}</span>
        <span>{shown.format(picture.low)}</span>
      </div>
    </div>
  );
}

/** Shows each generated input: recent history, generated values and back-test error. */
export function GeneratedInputsCard({ inputs }: { inputs: readonly GeneratedInput[] }) {
  const displays = useDisplays();
  const [all, setAll] = useState(false);
  const shown = all ? inputs : inputs.slice(0, shownAtFirst);
  return (
    <Card>
      <CardHeader
        title="Generated inputs"
        description="Inputs that follow the date or are planned are known. The others are extended with the method that back-tested best. Grey: history. Coloured: generated values, with the typical error as a band."
      />
      <ul className="grid gap-x-8 gap-y-5 px-5 pb-5 md:grid-cols-2">
        {shown.map((input) => (
          <li key={input.feature} className="min-w-0 text-[13px]">
            <p dir="auto" className="font-medium [overflow-wrap:anywhere]" title={input.feature}>
              {displays(input.feature).title}
            </p>
            <p className="text-ink-soft">{input.method}</p>
            <p className="text-ink-faint">{errorText(input, displays(input.feature))}</p>
            <Picture input={input} shown={displays(input.feature)} />
          </li>
        ))}
      </ul>
      {shown.length < inputs.length && (
        <div className="px-5 pb-5">
          <Button size="sm" onClick={() => setAll(true)}>
            Show all {formatInteger(inputs.length)}
          </Button>
        </div>
      )}
    </Card>
  );
}

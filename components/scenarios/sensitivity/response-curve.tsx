import { toX, toY } from "#components/chart/scale.ts";
import { SignedBars } from "#components/chart/signed-bars.tsx";
import { useWidth } from "#components/chart/use-size.ts";
import { useDisplays, useTarget } from "#components/display/displays.tsx";
import type { Shown } from "#components/display/shown.ts";
import { formatInteger } from "#components/ui/format.ts";
import { ScrollArea } from "#components/ui/scroll-area.tsx";
import { DataTable } from "#components/ui/table.tsx";
import type { SensitivityFeature } from "#lib/contract/sensitivity";
import { curveHeight, type PreparedCurve, prepareCurve } from "./prepare-curve.ts";
import type { PreparedFeature } from "./prepare-sensitivity.ts";

/** Draws the mean prediction over the values of a numeric input, above the distribution of the training data. */
export function ResponseCurve({ feature }: { feature: SensitivityFeature }) {
  const { ref, width } = useWidth();
  const target = useTarget();
  const input = useDisplays()(feature.feature);
  const prepared = width > 0 ? prepareCurve(feature, width) : null;
  const hasCurve = (feature.curve?.means ?? []).some((mean) => mean !== null);
  if (!hasCurve) {
    return <p className="text-[13px] text-ink-faint">The training data has no range for this input.</p>;
  }
  return (
    <div>
      <figure ref={ref} className="m-0 min-w-0" style={{ minHeight: curveHeight }}>
        {prepared && <CurveDrawing {...{ prepared, width, input, target }} />}
      </figure>
      <p className="mt-1 text-xs text-ink-faint">
        Line: mean prediction over {input.title}.{" "}
        {prepared && prepared.density.length > 0 && "Grey bars: number of training rows. "}
        {prepared?.own && "Shaded: values in this scenario; dashed: their mean."}
      </p>
      {prepared && (
        <details className="mt-2 text-[13px]">
          <summary className="rounded-sm text-ink-soft">Response curve as a table</summary>
          <ScrollArea label="Response curve" className="mt-2 max-h-72 rounded-md border">
            <DataTable
              head="sticky top-0 bg-surface"
              rows={prepared.points}
              keyOf={({ value }) => value}
              columns={[
                [input.title, ({ value }) => input.format(value)],
                [target.head("Mean prediction"), ({ mean }) => target.format(mean), "text-right"],
              ]}
            />
          </ScrollArea>
        </details>
      )}
    </div>
  );
}

function CurveDrawing({
  prepared,
  width,
  input,
  target,
}: {
  prepared: PreparedCurve;
  width: number;
  input: Shown;
  target: Shown;
}) {
  const { scale, xTicks, yTicks, line, points, density, own } = prepared;
  const { left, right, top, bottom } = scale;
  const [formatX, formatY] = [input.tickFormat(xTicks), target.tickFormat(yTicks)];
  const [first, last] = [points[0]!, points.at(-1)!];
  const label = `Mean prediction from ${target.text(first.mean)} at ${input.name} ${input.text(first.value)} to ${target.text(last.mean)} at ${input.text(last.value)}`;
  return (
    <svg width={width} height={curveHeight} role="img" aria-label={label} className="block">
      {own && (
        <rect
          x={own.from}
          y={top}
          width={Math.max(1, own.to - own.from)}
          height={bottom - top}
          className="fill-accent-wash"
        />
      )}
      <g fontSize="11" fill="var(--ink-faint)" className="figures">
        <text y="11">{target.head(`Mean of ${target.name}`)}</text>
        {yTicks.map((tick) => (
          <g key={tick}>
            <line x1={left} x2={right} y1={toY(scale, tick)} y2={toY(scale, tick)} stroke="var(--line)" />
            <text x={left - 8} y={toY(scale, tick)} dy="0.32em" textAnchor="end">
              {formatY(tick)}
            </text>
          </g>
        ))}
        {xTicks.map((tick) => (
          <text
            key={tick}
            x={toX(scale, tick)}
            y={curveHeight - 6}
            textAnchor={toX(scale, tick) > right - 16 ? "end" : "middle"}
          >
            {formatX(tick)}
          </text>
        ))}
      </g>
      {density.map(({ x, ...bar }) => (
        <rect key={x} x={x} {...bar} className="fill-line-strong" />
      ))}
      <line x1={left} x2={right} y1={bottom + 44.5} y2={bottom + 44.5} stroke="var(--line-strong)" />
      {own && (
        <line
          x1={own.mean}
          x2={own.mean}
          y1={top}
          y2={bottom}
          stroke="var(--ink-soft)"
          strokeDasharray="3 3"
        />
      )}
      <polyline points={line} fill="none" stroke="var(--accent)" strokeWidth="2" strokeLinejoin="round" />
      {points.length === 1 && <circle cx={first.x} cy={first.y} r="3.5" fill="var(--accent)" />}
    </svg>
  );
}

/** Shows the effect of each value of a category or boolean, with its number of training rows. */
export function ValueEffects({ feature: { effects } }: { feature: PreparedFeature }) {
  const target = useTarget();
  const bars = effects.map(({ text, value, trainingRows }) => ({
    name: trainingRows === null ? text : `${text} (${formatInteger(trainingRows)})`,
    value,
  }));
  return (
    <>
      <SignedBars bars={bars} formatOf={(values) => target.formatOf(values)} />
      <p className="mt-2 text-xs text-ink-faint">
        Effect if all rows have the value. In brackets: number of training rows.
      </p>
    </>
  );
}

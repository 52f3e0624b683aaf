import { formatInteger, formatNumber } from "#components/ui/format.ts";
import type { ReliabilityBin } from "#lib/contract/classification";

const SIZE = 300;
const EDGE = { left: 44, bottom: 40, top: 14, right: 14 };
const TICKS = [0, 0.25, 0.5, 0.75, 1];
const RADIUS = { least: 3, most: 11 };

/** Draws observed shares over predicted probabilities. Large points have many rows; on the diagonal both are equal. */
export function ReliabilityPlot({
  reliability,
  positive,
}: {
  reliability: readonly ReliabilityBin[];
  positive: string;
}) {
  const x = (value: number) => EDGE.left + value * (SIZE - EDGE.left - EDGE.right);
  const y = (value: number) => SIZE - EDGE.bottom - value * (SIZE - EDGE.bottom - EDGE.top);
  const most = Math.max(1, ...reliability.map(({ rows }) => rows));
  const radius = (rows: number) => RADIUS.least + (RADIUS.most - RADIUS.least) * Math.sqrt(rows / most);
  return (
    <svg
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      role="img"
      aria-label={`Observed share of ${positive} over its predicted probability`}
      className="mx-auto w-full max-w-md text-[11px]"
    >
      {TICKS.map((tick) => (
        <g key={tick} className="figures fill-ink-faint">
          <line x1={x(tick)} x2={x(tick)} y1={y(0)} y2={y(1)} className="stroke-line" />
          <line x1={x(0)} x2={x(1)} y1={y(tick)} y2={y(tick)} className="stroke-line" />
          <text x={x(tick)} y={y(0) + 16} textAnchor="middle">
            {formatNumber(tick)}
          </text>
          <text x={x(0) - 6} y={y(tick) + 4} textAnchor="end">
            {formatNumber(tick)}
          </text>
        </g>
      ))}
      <line x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} className="stroke-ink-faint" strokeDasharray="4 4" />
      <polyline
        points={reliability.map((bin) => `${x(bin.predicted)},${y(bin.observed)}`).join(" ")}
        className="fill-none stroke-accent"
      />
      {reliability.map(({ predicted, observed, rows }) => (
        <circle
          key={predicted}
          cx={x(predicted)}
          cy={y(observed)}
          r={radius(rows)}
          className="fill-accent/70"
        >
          <title>{`predicted ${formatNumber(predicted)}, observed ${formatNumber(observed)}, ${formatInteger(rows)} rows`}</title>
        </circle>
      ))}
      <text x={x(0.5)} y={SIZE - 4} textAnchor="middle" className="fill-ink-faint">
        Predicted probability of {positive}
      </text>
      <text transform={`translate(11 ${y(0.5)}) rotate(-90)`} textAnchor="middle" className="fill-ink-faint">
        Observed share
      </text>
    </svg>
  );
}

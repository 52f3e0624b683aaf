import { classNames } from "#components/ui/class-names.ts";
import { formatSigned } from "#components/ui/format.ts";
import { changeNames, type PreparedFeature, type PreparedSensitivity } from "./prepare-sensitivity.ts";
import type { InputChange } from "./sensitivity-query.ts";

const colors = { low: "bg-warn", high: "bg-accent", category: "bg-ink-faint" };

/** Returns the bars of a feature: one for each end of a number, and the span of a category's effects. */
function barsOf({ effects, span }: PreparedFeature) {
  const ends = effects.flatMap(({ side, value }) => (side === null ? [] : [{ side, value }]));
  if (ends.length > 0) return ends;
  return span.map((value) => ({ side: "category" as const, value }));
}

/** Draws the effect of each input on both sides of zero. Each name selects the input's response curve. */
export function Tornado({
  prepared: { features, largest, target },
  change,
  selected,
  onSelect,
}: {
  prepared: PreparedSensitivity;
  change: InputChange;
  /** Name of the selected input. */
  selected: string | undefined;
  onSelect(name: string): void;
}) {
  const [low, high] = changeNames[change];
  const format = target.formatOf(features.flatMap(({ span }) => span));
  return (
    <div className="text-[13px]">
      <p className="mb-2 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-soft" aria-hidden="true">
        {[
          [colors.low, `${low}, or no (0)`],
          [colors.high, `${high}, or yes (1)`],
          [colors.category, "Categories"],
        ].map(([color, text]) => (
          <span key={text} className="flex items-center gap-1.5">
            <span className={classNames("size-2.5 rounded-sm", color)} /> {text}
          </span>
        ))}
      </p>
      <ul aria-label="Effect of each input">
        {features.map((feature) => (
          <li key={feature.name}>
            <button
              type="button"
              aria-pressed={feature.name === selected}
              onClick={() => onSelect(feature.name)}
              className={classNames(
                "grid w-full grid-cols-[minmax(4.5rem,9rem)_1fr_6.5rem] sm:grid-cols-[minmax(4.5rem,12rem)_1fr_9rem] items-center gap-3 rounded-md px-2 min-h-7 py-1 text-left",
                feature.name === selected ? "bg-accent-wash" : "hover:bg-sunken",
              )}
            >
              <span dir="auto" className="truncate text-xs" title={feature.name}>
                {feature.input.name}
              </span>
              <span className="relative h-4" aria-hidden="true">
                <span className="absolute inset-y-0 left-1/2 w-px bg-line-strong" />
                {barsOf(feature).map(({ side, value }, at) => (
                  <span
                    // biome-ignore lint/suspicious/noArrayIndexKey: a bar is its place
                    key={at}
                    className={classNames("absolute inset-y-0.5 rounded-sm opacity-90", colors[side])}
                    style={{
                      left: `${50 + (Math.min(0, value) / (largest || 1)) * 50}%`,
                      width: `${(Math.abs(value) / (largest || 1)) * 50}%`,
                    }}
                  />
                ))}
              </span>
              <span className="figures text-right text-xs">
                {formatSigned(feature.span[0], format)} …{" "}
                {target.withUnit(formatSigned(feature.span[1], format))}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

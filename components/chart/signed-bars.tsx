import type { Displays, Shown } from "#components/display/shown.ts";
import { formatColumn, formatSigned } from "#components/ui/format.ts";
import type { ContributionKind } from "#lib/contract/contributions";
import type { Contributions } from "#lib/contract/scenario-series";

/** `of` is the feature that a derived value comes from, `text` what is shown instead of the name. */
type SignedBar = { name: string; of?: string; text?: string; value: number };

/** Draws amounts on both sides of zero, in one colour: in other charts, colours stand for features and scenarios. */
export function SignedBars({
  bars,
  formatOf = formatColumn,
}: {
  bars: readonly SignedBar[];
  /** Returns the format of the values, without their signs. */
  formatOf?: typeof formatColumn;
}) {
  const format = formatOf(bars.map(({ value }) => value));
  const largest = Math.max(...bars.map(({ value }) => Math.abs(value)), Number.MIN_VALUE);
  return (
    <dl className="space-y-1.5 text-[13px]">
      {bars.map(({ name, of, text, value }) => (
        <div
          key={`${name} ${of}`}
          className="grid grid-cols-[minmax(5rem,11rem)_1fr_5rem] items-center gap-3"
        >
          <FeatureName name={name} of={of} text={text} />
          <dd className="relative h-3.5" aria-hidden="true">
            <span className="absolute inset-y-0 left-1/2 w-px bg-line-strong" />
            <span
              className={
                value >= 0
                  ? "absolute inset-y-0 left-1/2 rounded-r-sm bg-ink-faint"
                  : "absolute inset-y-0 right-1/2 rounded-l-sm bg-ink-faint"
              }
              style={{ width: `${(Math.abs(value) / largest) * 50}%` }}
            />
          </dd>
          <dd className="figures text-right">{formatSigned(value, format)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Names a feature, or a value derived from it: "hour of day". The stored names appear on hovering. */
export function FeatureName({
  name,
  of,
  text = name,
}: {
  name: string;
  of?: string | undefined;
  text?: string | undefined;
}) {
  return (
    <dt
      dir="auto"
      className={of === undefined ? "truncate text-xs" : "text-xs first-letter:uppercase"}
      title={of === undefined ? name : `${of}: ${name}`}
    >
      {text}
    </dt>
  );
}

/** Returns the largest contributions to a row (from 0) first, with the remaining ones summed in one bar. */
export function largestBars(
  { features, values, parts }: Pick<Contributions, "features" | "values" | "parts">,
  row: number,
  shown: number,
  displays: Displays,
): SignedBar[] {
  const named = parts ?? { features, kinds: [], values };
  const bars = named.features
    .map((feature, index) => {
      const detail = parts?.details?.[index];
      const value = named.values[row]?.[index] ?? 0;
      return detail
        ? { name: detail, of: feature, value }
        : { ...contributionNames(feature, named.kinds[index], displays(feature)), value };
    })
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  if (bars.length <= shown + 1) return bars;
  const rest = bars.slice(shown);
  return [
    ...bars.slice(0, shown),
    { name: `${rest.length} others`, value: rest.reduce((sum, { value }) => sum + value, 0) },
  ];
}

const kindText: Record<ContributionKind, string | null> = {
  input: null,
  calendar: "calendar",
  level: "level and trend",
  season: "season",
  past: "past values",
};

/** Names a contribution: "Price", "Sales: season". It has the unit of the target, not that of the feature. */
function contributionNames(feature: string, kind: ContributionKind = "input", { name }: Shown) {
  const part = kindText[kind];
  return part === null
    ? { name: feature, text: name }
    : { name: `${feature}: ${part}`, text: `${name}: ${part}` };
}

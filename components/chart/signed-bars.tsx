import { formatSigned } from "#components/ui/format.ts";
import type { ContributionKind } from "#lib/contract/contributions";
import type { Contributions } from "#lib/contract/scenario-series";

/** `of` is the feature that a derived value comes from. */
type SignedBar = { name: string; of?: string; value: number };

/** Draws amounts on both sides of zero, in one colour: in other charts, colours stand for features and scenarios. */
export function SignedBars({ bars }: { bars: readonly SignedBar[] }) {
  const largest = Math.max(...bars.map(({ value }) => Math.abs(value)), Number.MIN_VALUE);
  return (
    <dl className="space-y-1.5 text-[13px]">
      {bars.map(({ name, of, value }) => (
        <div
          key={`${name} ${of}`}
          className="grid grid-cols-[minmax(5rem,11rem)_1fr_5rem] items-center gap-3"
        >
          <FeatureName name={name} of={of} />
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
          <dd className="figures text-right">{formatSigned(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Names a feature, or a value derived from it: "hour of day". */
export function FeatureName({ name, of }: { name: string; of?: string | undefined }) {
  return (
    <dt
      className={of === undefined ? "truncate font-mono text-xs" : "text-xs"}
      title={of === undefined ? name : `${of}: ${name}`}
    >
      {name}
    </dt>
  );
}

/** Returns the largest contributions to a row (from 0) first, with the remaining ones summed in one bar. */
export function largestBars(
  { features, values, parts }: Pick<Contributions, "features" | "values" | "parts">,
  row: number,
  shown: number,
): SignedBar[] {
  const named = parts ?? { features, kinds: [], values };
  const bars = named.features
    .map((feature, index) => {
      const detail = parts?.details?.[index];
      const value = named.values[row]?.[index] ?? 0;
      return detail
        ? { name: detail, of: feature, value }
        : { name: contributionName(feature, named.kinds[index]), value };
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

/** Names a contribution: "price", "sales: season". */
function contributionName(feature: string, kind: ContributionKind = "input"): string {
  const text = kindText[kind];
  return text === null ? feature : `${feature}: ${text}`;
}

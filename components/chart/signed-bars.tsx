import { formatSigned } from "#components/ui/format.ts";
import type { ContributionKind } from "#lib/contract/contribution-parts";
import type { Contributions } from "#lib/contract/scenario-series";

type SignedBar = { name: string; value: number };

/** Draws amounts on both sides of zero. The text shows the sign too, so the colour is not the only cue. */
export function SignedBars({ bars }: { bars: readonly SignedBar[] }) {
  const largest = Math.max(...bars.map(({ value }) => Math.abs(value)), Number.MIN_VALUE);
  return (
    <dl className="space-y-1.5 text-[13px]">
      {bars.map(({ name, value }) => (
        <div key={name} className="grid grid-cols-[minmax(5rem,9rem)_1fr_5rem] items-center gap-3">
          <dt className="truncate font-mono text-xs" title={name}>
            {name}
          </dt>
          <dd className="relative h-3.5" aria-hidden="true">
            <span className="absolute inset-y-0 left-1/2 w-px bg-line-strong" />
            <span
              className={
                value >= 0
                  ? "absolute inset-y-0 left-1/2 rounded-r-sm bg-accent"
                  : "absolute inset-y-0 right-1/2 rounded-l-sm bg-warn"
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

/** Returns the largest contributions to a row (from 0) first, with the remaining ones summed in one bar. */
export function largestBars(
  { features, values, parts }: Pick<Contributions, "features" | "values" | "parts">,
  row: number,
  shown: number,
): SignedBar[] {
  const named = parts ?? { features, kinds: [], values };
  const bars = named.features
    .map((feature, index) => ({
      name: contributionName(feature, named.kinds[index]),
      value: named.values[row]?.[index] ?? 0,
    }))
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
export function contributionName(feature: string, kind: ContributionKind = "input"): string {
  const text = kindText[kind];
  return text === null ? feature : `${feature}: ${text}`;
}

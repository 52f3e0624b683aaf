import { roundedPercent } from "#components/ui/format.ts";
import { counted } from "#lib/contract/counted";
import type { Dataset } from "#lib/contract/datasets";

const shownCategories = 4;

type Described = Pick<Dataset["columns"][number], "name" | "categories" | "histogram" | "missing">;

/** Shows a column's distribution: a histogram for numbers, the most frequent values for categories. */
export function Distribution({
  column: { name, categories, histogram, missing },
  rowCount,
}: {
  column: Described;
  rowCount: number;
}) {
  if (!histogram) return null;
  if (!categories) return <Histogram counts={histogram} label={`Distribution of ${name}`} />;
  const present = Math.max(1, rowCount - missing);
  const bars = categories.slice(0, shownCategories).map((category, index) => {
    const count = histogram[index] ?? 0;
    return { category, count, percent: (count / present) * 100 };
  });
  return (
    <ul aria-label={`Most frequent values of ${name}`} className="w-40 space-y-0.5 text-xs xl:w-52">
      {bars.map(({ category, count, percent }) => (
        <li
          key={category}
          className="grid grid-cols-[4.5rem_minmax(0,1fr)_2.75rem] items-center gap-2"
          title={`${category}: ${counted(count, "row")}`}
        >
          <span className="truncate text-ink-soft">{category}</span>
          <span className="h-1.5 overflow-hidden rounded-full bg-sunken">
            <span className="block h-full rounded-full bg-accent/70" style={{ width: `${percent}%` }} />
          </span>
          <span className="text-right text-ink-faint">
            {percent > 0 && percent < 1 ? "< 1" : roundedPercent(percent, 0)} %
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Draws a column's distribution as a small histogram; the numbers next to it give the details. */
function Histogram({ counts, label }: { counts: readonly number[]; label: string }) {
  const highest = Math.max(1, ...counts);
  const width = 100 / counts.length;
  return (
    <svg viewBox="0 0 100 28" preserveAspectRatio="none" className="h-7 w-28" role="img" aria-label={label}>
      {counts.map((count, bin) => (
        <rect
          // biome-ignore lint/suspicious/noArrayIndexKey: a bin is its place
          key={bin}
          x={bin * width}
          y={28 - (count / highest) * 28}
          width={width * 0.85}
          height={(count / highest) * 28}
          className="fill-accent/70"
        />
      ))}
    </svg>
  );
}

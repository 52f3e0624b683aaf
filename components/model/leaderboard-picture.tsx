import { Badge } from "#components/ui/badge.tsx";
import { classNames } from "#components/ui/class-names.ts";
import type { LeaderboardPicture } from "./prepare-leaderboard.ts";

const percent = (part: number) => `${part * 100}%`;

/**
 * Draws each finalist's mean score as a bar, its spread over the folds as a line, and the naive forecast across all
 * bars.
 */
export function LeaderboardBars({ picture }: { picture: LeaderboardPicture }) {
  const { bars, naive, metric, isHigherBetter } = picture;
  const means = bars.map(({ mean }) => (isHigherBetter ? -mean : mean));
  const selected = bars.findIndex(({ chosen }) => chosen);
  const hasBetter = selected >= 0 && means[selected]! > Math.min(...means);
  return (
    <figure className="m-0 px-5 pb-4" aria-label={`Mean ${metric} of each candidate in the back-tests`}>
      <ul className="space-y-2.5 text-[13px]">
        {bars.map((bar) => (
          <li
            key={bar.key}
            className="grid grid-cols-1 gap-x-4 gap-y-1 sm:grid-cols-[15rem_1fr_8rem] sm:items-center"
          >
            <div className="min-w-0">
              <p className="flex items-center gap-2">
                <span className={classNames("min-w-0", bar.chosen && "font-medium")}>{bar.name}</span>
                {bar.chosen && <Badge tone="good">selected</Badge>}
              </p>
              <p className="text-xs text-ink-faint [overflow-wrap:anywhere]">
                {bar.features}
                {bar.settings && `; ${bar.settings}`}
              </p>
            </div>
            <div aria-hidden="true" className="relative h-4 rounded-sm bg-sunken">
              <span
                className={classNames(
                  "block h-full rounded-sm",
                  bar.chosen ? "bg-accent" : "bg-ink-faint/50",
                  bar.isCut && "mask-r-from-80%",
                )}
                style={{ width: percent(bar.width) }}
              />
              <span
                className="absolute top-1/2 h-px bg-ink"
                style={{ left: percent(bar.from), width: percent(bar.to - bar.from) }}
              />
              {naive && (
                <span
                  className="absolute -inset-y-1.5 border-l-2 border-dashed border-ink-soft"
                  style={{ left: percent(naive.at) }}
                />
              )}
            </div>
            <p className="figures text-right whitespace-nowrap">{bar.text}</p>
          </li>
        ))}
      </ul>
      <figcaption className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-faint">
        <span>
          {metric} mean and spread over the back-tests; {isHigherBetter ? "higher" : "lower"} is better
          {bars.some(({ isCut }) => isCut) && "; longer bars are cut off"}
          {hasBetter &&
            ". A better mean alone does not replace the selected candidate, because back-tests vary"}
        </span>
        {naive && (
          <span className="flex items-center gap-1.5">
            <span aria-hidden="true" className="inline-block h-3 border-l-2 border-dashed border-ink-soft" />
            {naive.name} {naive.text}
          </span>
        )}
      </figcaption>
    </figure>
  );
}

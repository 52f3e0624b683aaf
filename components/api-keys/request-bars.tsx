import { formatInteger } from "#components/ui/format.ts";
import { Tooltip } from "#components/ui/tooltip.tsx";
import type { ListedApiKey } from "#lib/contract/api-keys";

const barWidth = 5;
const height = 20;

/** Summarises the requests: "1,204 in 14 days, most on 2026-01-30 (310)". */
function requestsText(requests: ListedApiKey["requests"]): string {
  const total = requests.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return `None in ${requests.length} days`;
  const most = requests.reduce((a, b) => (b.count > a.count ? b : a));
  return `${formatInteger(total)} in ${requests.length} days, most on ${most.day} (${formatInteger(most.count)})`;
}

/** Draws a key's recent requests, one bar per day, with their sum. */
export function RequestBars({ requests }: { requests: ListedApiKey["requests"] }) {
  const highest = Math.max(...requests.map(({ count }) => count), 1);
  const total = requests.reduce((sum, { count }) => sum + count, 0);
  return (
    <Tooltip content={requestsText(requests)}>
      <span className="inline-flex items-end gap-2.5">
        <svg
          width={requests.length * barWidth}
          height={height}
          role="img"
          aria-label={requestsText(requests)}
          className="shrink-0"
        >
          {requests.map(({ day, count }, index) => {
            // Keeps a single request visible next to thousands.
            const size = count === 0 ? 1 : Math.max(2, (count / highest) * height);
            return (
              <rect
                key={day}
                x={index * barWidth}
                y={height - size}
                width={barWidth - 1.5}
                height={size}
                className={count === 0 ? "fill-line-strong" : "fill-accent/70"}
              />
            );
          })}
        </svg>
        <span className="text-ink-soft" aria-hidden="true">
          {formatInteger(total)}
        </span>
      </span>
    </Tooltip>
  );
}

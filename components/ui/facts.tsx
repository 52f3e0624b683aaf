import type { ReactNode } from "react";

/** Lists names and values, side by side if there is room. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(min(9.5rem,45%),1fr))] gap-x-6 gap-y-4 xl:grid-cols-4">
      {facts.map(([name, value]) => (
        <div key={name} className="min-w-0">
          <dt className="text-xs text-ink-faint">{name}</dt>
          {typeof value === "string" ? (
            <dd className="figures line-clamp-4 [overflow-wrap:anywhere]" title={value}>
              {value}
            </dd>
          ) : (
            <dd className="figures [overflow-wrap:anywhere]">{value}</dd>
          )}
        </div>
      ))}
    </dl>
  );
}

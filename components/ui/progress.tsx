/** Shows progress. `value` is 0–100; null for unknown progress. */
export function Progress({ value, label }: { value: number | null; label: string }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      {...(value !== null && { "aria-valuenow": Math.round(value) })}
      className="h-1.5 w-full overflow-hidden rounded-full bg-line"
    >
      <div
        className={
          value === null
            ? "h-full w-1/3 animate-pulse rounded-full bg-accent"
            : "h-full rounded-full bg-accent transition-[width] duration-300"
        }
        style={value === null ? undefined : { width: `${value}%` }}
      />
    </div>
  );
}

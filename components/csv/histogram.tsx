/** Draws a column's distribution as a small histogram; the numbers next to it give the details. */
export function Histogram({ counts, label }: { counts: readonly number[]; label: string }) {
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

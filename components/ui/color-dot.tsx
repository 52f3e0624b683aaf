export function ColorDot({ color }: { color: string }) {
  return (
    <span
      aria-hidden="true"
      className="inline-block size-2.5 shrink-0 rounded-full ring-1 ring-ink/10"
      style={{ background: color }}
    />
  );
}

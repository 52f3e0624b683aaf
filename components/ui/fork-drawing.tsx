/** Draws the picture of empty states: a known past that forks into futures. */
export function ForkDrawing() {
  return (
    <svg
      viewBox="0 0 200 90"
      className="h-24"
      fill="none"
      strokeWidth="2.5"
      strokeLinecap="round"
      aria-hidden="true"
    >
      <path d="M8 62 C28 62 30 40 48 44 S74 66 96 48" className="stroke-ink-faint" />
      <path d="M96 48 C122 28 138 46 192 14" className="stroke-accent" />
      <path d="M96 48 C122 40 150 52 192 44" className="stroke-good" strokeDasharray="7 5" />
      <path d="M96 48 C122 56 150 62 192 76" className="stroke-warn" strokeDasharray="2 5" />
      <circle cx="96" cy="48" r="5" className="fill-surface stroke-ink-faint" />
    </svg>
  );
}

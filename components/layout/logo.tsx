/** Draws the logo: one known past with several possible futures. */
export function Logo({ short = false }: { /** On narrow screens the sign alone. */ short?: boolean }) {
  return (
    <span className="inline-flex items-center gap-2 font-semibold tracking-tight">
      <svg viewBox="0 0 32 32" className="size-6" aria-hidden="true">
        <rect width="32" height="32" rx="7" className="fill-accent" />
        <g fill="none" strokeWidth="2.5" strokeLinecap="round" className="stroke-accent-ink">
          <path d="M5 22C9 22 10 14 14 14" />
          <path d="M14 14C19 14 20 7 27 7" opacity="0.7" />
          <path d="M14 14C19 14 20 16 27 16" />
          <path d="M14 14C19 14 20 25 27 25" opacity="0.7" />
        </g>
      </svg>
      <span className={short ? "hidden sm:inline" : undefined}>Forkcast</span>
    </span>
  );
}

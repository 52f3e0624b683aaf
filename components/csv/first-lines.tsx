/** Shows the first lines of a file, to choose the one with the names of the columns. */
export function FirstLines({
  lines,
  headerRow,
  onChoose,
}: {
  lines: readonly string[];
  headerRow: number;
  onChoose(headerRow: number): void;
}) {
  if (lines.length < 2) return null;
  return (
    <fieldset>
      <legend className="mb-1.5 text-[13px] font-medium">Line with the names of the columns</legend>
      <ol className="divide-y rounded-md border">
        {lines
          .map((line, at) => ({ line, number: at + 1 }))
          .map(({ line, number }) => (
            <li key={number}>
              <button
                type="button"
                aria-pressed={number === headerRow}
                onClick={() => onChoose(number)}
                className="flex w-full gap-3 px-3 py-1.5 text-left text-xs hover:bg-accent-wash/40 aria-pressed:bg-accent-wash"
              >
                <span className="w-5 shrink-0 text-ink-faint">{number}</span>
                <span className="min-w-0 truncate font-mono">{line === "" ? "(blank)" : line}</span>
              </button>
            </li>
          ))}
      </ol>
    </fieldset>
  );
}

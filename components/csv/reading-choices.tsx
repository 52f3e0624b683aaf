import { Button } from "#components/ui/button.tsx";
import type { Choice } from "#lib/contract/reading";
import { pageWords } from "./page-words.ts";

type Finding = { message: string; choices?: readonly Choice[] | undefined };

/** Returns the findings that `ReadingChoices` does not show. */
export const withoutChoices = <F extends Finding>(findings: readonly F[]): F[] =>
  findings.filter(({ choices = [] }) => choices.length === 0);

/** Offers the ways to read a file that remove its issues or treat its warnings, each with what it makes of real cells. */
export function ReadingChoices({
  findings,
  isNeeded = false,
  onChoose,
}: {
  findings: readonly Finding[];
  /** Whether the file cannot be used without a choice. */
  isNeeded?: boolean;
  onChoose(options: Choice["options"]): void;
}) {
  return findings.map(({ message, choices = [] }) =>
    choices.length === 0 ? null : (
      <div
        key={message}
        role="status"
        className="space-y-2.5 rounded-md border border-accent/40 bg-accent-wash/40 px-4 py-3"
      >
        <p className="text-[13px] font-medium [overflow-wrap:anywhere]">{pageWords(message)}</p>
        <ul className="flex flex-wrap gap-3">
          {choices.map(({ label, options, cells }) => (
            <li key={label} className="min-w-40 space-y-1.5">
              <Button size="sm" look={isNeeded ? "primary" : "secondary"} onClick={() => onChoose(options)}>
                {label}
              </Button>
              {cells.map(({ row, text, reading }) => (
                <p
                  key={`${row} ${text}`}
                  className="font-mono text-xs text-ink-soft [overflow-wrap:anywhere]"
                >
                  {text} → {reading}
                </p>
              ))}
            </li>
          ))}
        </ul>
      </div>
    ),
  );
}

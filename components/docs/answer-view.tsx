import { ChevronRight } from "lucide-react";
import { classNames } from "#components/ui/class-names.ts";
import { CodeBlock } from "#components/ui/code-block.tsx";
import type { Answer } from "./read-answer.ts";

export function AnswerView({ answer: { status, durationMs, headers, text } }: { answer: Answer }) {
  return (
    <div className="space-y-2">
      <p className="text-[13px]" role="status">
        <span className={classNames("font-mono font-semibold", status < 400 ? "text-good" : "text-bad")}>
          {status}
        </span>{" "}
        <span className="text-ink-faint">in {Math.round(durationMs)} ms</span>
      </p>
      <details className="group text-xs">
        <summary className="flex list-none items-center gap-1.5 rounded-sm text-ink-faint">
          <ChevronRight className="size-3.5 transition-transform group-open:rotate-90" />
          {headers.length} headers
        </summary>
        <dl className="mt-1 space-y-1 border-l pl-3">
          {headers.map(([name, value]) => (
            <div key={name} className="[overflow-wrap:anywhere]">
              <dt className="inline font-mono font-medium">{name}: </dt>
              <dd className="inline font-mono text-ink-soft">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {text !== "" && <CodeBlock label="Response body" code={text} scrolls />}
    </div>
  );
}

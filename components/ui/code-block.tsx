import { classNames } from "./class-names.ts";
import { CopyButton } from "./copy-button.tsx";

/** Shows a command or document to copy. Long lines wrap without adding line breaks to the copied text. */
export function CodeBlock({
  code,
  label,
  copy = "Copy",
  scrolls = false,
}: {
  code: string;
  label: string;
  copy?: string;
  /** Limits the height of a long document. */
  scrolls?: boolean;
}) {
  return (
    <figure className="rounded-md border bg-sunken">
      <figcaption className="flex items-center justify-between gap-3 border-b py-1 pr-1.5 pl-3 text-xs text-ink-faint">
        {label}
        <CopyButton size="sm" look="quiet" text={code} label={copy} />
      </figcaption>
      <pre
        {...(scrolls && { tabIndex: 0, "aria-label": label })}
        className={classNames(
          "p-3 font-mono text-xs leading-relaxed break-words whitespace-pre-wrap [overflow-wrap:anywhere]",
          scrolls && "max-h-96 overflow-y-auto",
        )}
      >
        {code}
      </pre>
    </figure>
  );
}

import { Fragment } from "react";

/** Renders the Markdown subset of descriptions: paragraphs, `code`, **strong**. */
export function Prose({ text }: { text: string }) {
  return text
    .split(/\n\n+/)
    .filter((paragraph) => paragraph !== "")
    .map((paragraph) => (
      <p key={paragraph}>
        <Inline text={paragraph} />
      </p>
    ));
}

export function Inline({ text }: { text: string }) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text are their places
    <Fragment key={index}>{inlinePart(part)}</Fragment>
  ));
}

function inlinePart(part: string) {
  if (part.startsWith("`")) {
    return (
      <code className="rounded-sm bg-sunken px-1 py-px font-mono text-[0.92em] [overflow-wrap:anywhere]">
        {part.slice(1, -1)}
      </code>
    );
  }
  return part.startsWith("**") ? <strong>{part.slice(2, -2)}</strong> : part;
}

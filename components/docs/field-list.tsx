import { Inline } from "./prose.tsx";
import type { ReferenceField } from "./schema-text.ts";

/** Formats a type with links to the objects it contains. */
export function TypeText({ type, objects }: { type: string; objects: ReadonlySet<string> }) {
  return type.split(/(\w+)/).map((word, index) =>
    objects.has(word) ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text are their places
      <a key={index} href={`#object-${word}`} className="rounded-sm text-accent underline">
        {word}
      </a>
    ) : (
      word
    ),
  );
}

/** Lists fields with name and type on one line and the description below, for any width. */
export function FieldList({
  fields,
  objects,
  places,
  answered = false,
}: {
  fields: readonly ReferenceField[];
  objects: ReadonlySet<string>;
  /** Location of each parameter: path, query or header. */
  places?: readonly string[];
  /** Whether the fields belong to a response. Responses mark optional fields; requests mark required ones. */
  answered?: boolean;
}) {
  return (
    <dl className="divide-y border-y">
      {fields.map((field, index) => (
        <div key={`${field.name}-${places?.[index]}`} className="py-2.5">
          <dt className="flex flex-wrap items-baseline gap-x-2">
            <code className="font-mono text-[12.5px] font-medium [overflow-wrap:anywhere]">{field.name}</code>
            <span className="text-xs text-ink-faint">
              <TypeText type={field.type} objects={objects} />
            </span>
            {places && <span className="text-xs text-ink-faint">in {places[index]}</span>}
            {field.required && !answered && <span className="text-xs font-medium text-bad">required</span>}
            {!field.required && answered && <span className="text-xs text-ink-faint">optional</span>}
          </dt>
          <dd className="mt-0.5 text-[13px] text-ink-soft">
            <Inline text={field.description} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

import { Table, Td, Th } from "#components/ui/table";
import { Inline } from "./prose.tsx";
import type { ReferenceField } from "./schema-text.tsx";

/** A type with links to the objects that it names. */
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

export function FieldTable({
  fields,
  objects,
  places,
}: {
  fields: readonly ReferenceField[];
  objects: ReadonlySet<string>;
  /** Where each stands (path, query, header), for parameters. */
  places?: readonly string[];
}) {
  return (
    <div className="rounded-md border">
      <Table>
        <thead>
          <tr>
            <Th>Name</Th>
            <Th>Type</Th>
            <Th>Description</Th>
          </tr>
        </thead>
        <tbody className="align-top [&>tr:last-child>td]:border-b-0">
          {fields.map((field, index) => (
            <tr key={`${field.name}-${places?.[index]}`}>
              <Td className="whitespace-nowrap">
                <span className="font-mono text-xs">{field.name}</span>
                {field.required && <span className="ml-1.5 text-[11px] text-bad">required</span>}
                {places && <span className="block text-[11px] text-ink-faint">{places[index]}</span>}
              </Td>
              <Td className="min-w-28 text-xs text-ink-soft">
                <TypeText type={field.type} objects={objects} />
              </Td>
              <Td className="min-w-40 text-xs text-ink-soft">
                <Inline text={field.description} />
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

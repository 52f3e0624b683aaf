import { prepareOperation } from "./prepare-operation.ts";
import { readGlossary } from "./read-glossary.ts";
import type { ApiDocument, Reference } from "./reference.ts";
import { fieldsOf, type JsonSchema, schemaName } from "./schema-text.ts";

const methodOrder = ["get", "post", "put", "patch", "delete"];
const rank = (list: readonly string[], item: string) => {
  const at = list.indexOf(item);
  return at < 0 ? list.length : at;
};

/**
 * Prepares the reference page once: operations by tag, the objects in their responses, and the glossary.
 *
 * @param glossary text of `docs/glossary.md`
 */
export function prepareReference(document: object, glossary: string): Reference {
  // Uses the serialised JSON, without internal properties of the generating library.
  const described = JSON.parse(JSON.stringify(document)) as ApiDocument;
  inheritDescriptions(described, described.components.schemas);
  const { paths, components, tags, webhooks } = described;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      tag: operation.tags?.[0] ?? "Other",
      operation: prepareOperation(path, method, operation),
    })),
  );
  return {
    sections: tags.map(({ name, description }) => ({
      tag: name,
      description,
      operations: operations
        .filter(({ tag }) => tag === name)
        .map(({ operation }) => operation)
        .sort(
          (a, b) =>
            a.path.localeCompare(b.path) ||
            rank(methodOrder, a.method.toLowerCase()) - rank(methodOrder, b.method.toLowerCase()),
        ),
    })),
    objects: Object.entries(components.schemas)
      .filter(([, { properties }]) => properties)
      .map(([name, schema]) => ({ name, fields: fieldsOf(schema) }))
      .sort((a, b) => a.name.localeCompare(b.name)),
    events: Object.entries(webhooks).map(([name, { post }]) => ({ name, meaning: post.summary ?? "" })),
    failure: components.examples.validation_failed?.value,
    glossary: readGlossary(glossary),
  };
}

/** A `$ref` without a description uses the description of its target. */
function inheritDescriptions(value: unknown, schemas: Record<string, JsonSchema>): void {
  if (value === null || typeof value !== "object") return;
  const schema = value as JsonSchema;
  const description = schemas[schemaName(schema) ?? ""]?.description;
  if (description !== undefined) schema.description ??= description;
  for (const inner of Object.values(value)) inheritDescriptions(inner, schemas);
}

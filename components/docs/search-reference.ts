import type { Reference } from "./reference.ts";

/** Returns the operations whose tag, path, summary, description or body fields contain every word. */
export function searchReference({ sections }: Reference, text: string): Reference["sections"] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return sections;
  return sections
    .map(({ tag, description: about, operations }) => ({
      tag,
      description: about,
      operations: operations.filter((operation) => {
        const { method, path, summary, description, body } = operation;
        const fields = body?.fields.map(({ name }) => name) ?? [];
        const haystack = [tag, method, path, summary, description, ...fields].join(" ").toLowerCase();
        return words.every((word) => haystack.includes(word));
      }),
    }))
    .filter(({ operations }) => operations.length > 0);
}

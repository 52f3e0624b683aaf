import { z } from "zod";

type Node = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Node>;
  items?: Node;
  additionalProperties?: Node | boolean;
  anyOf?: Node[];
  allOf?: Node[];
  oneOf?: Node[];
};

/** Path of a value in a body or query: names of fields, and 0 for the first item of an array. */
export type FieldPath = (string | number)[];

/**
 * Returns the paths of a schema's input that accept the JSON type, alone or among other types.
 *
 * @param type null for the paths of all types
 */
export function fieldsOfType(schema: z.ZodType, type: "string" | "number" | null): FieldPath[] {
  const root = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Node & {
    $defs?: Record<string, Node>;
  };
  const wanted: (string | null)[] = type === "number" ? ["number", "integer"] : [type];
  const found = new Map<string, FieldPath>();
  const visit = (given: Node, path: FieldPath, seen: readonly string[]): void => {
    const ref = given.$ref?.replace("#/$defs/", "");
    if (ref !== undefined && seen.includes(ref)) return;
    const node = ref === undefined ? given : root.$defs![ref]!;
    const inside = ref === undefined ? seen : [...seen, ref];
    if (type === null || [node.type].flat().some((one) => wanted.includes(one ?? "")))
      found.set(path.join("."), path);
    for (const one of [...(node.anyOf ?? []), ...(node.allOf ?? []), ...(node.oneOf ?? [])]) {
      visit(one, path, inside);
    }
    for (const [name, child] of Object.entries(node.properties ?? {})) visit(child, [...path, name], inside);
    if (node.items) visit(node.items, [...path, 0], inside);
    if (typeof node.additionalProperties === "object") {
      visit(node.additionalProperties, [...path, "x"], inside);
    }
  };
  visit(root, [], []);
  return [...found.values()];
}

/** Returns a copy of the body with the value at the path. Creates missing objects and arrays on the path. */
export function withValue(body: unknown, [name, ...rest]: FieldPath, value: unknown): unknown {
  if (name === undefined) return value;
  if (typeof name === "number") {
    const items = Array.isArray(body) ? body.slice() : [];
    items[name] = withValue(items[name], rest, value);
    return items;
  }
  const fields = typeof body === "object" && body !== null && !Array.isArray(body) ? body : {};
  return { ...fields, [name]: withValue((fields as Record<string, unknown>)[name], rest, value) };
}

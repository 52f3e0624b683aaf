import { z } from "zod";
import type { AnyDeclaration } from "#lib/api/route-declaration";

type Node = {
  $ref?: string;
  format?: string;
  properties?: Record<string, Node>;
  items?: Node;
  additionalProperties?: Node | boolean;
  propertyNames?: Node;
  anyOf?: Node[];
  allOf?: Node[];
  oneOf?: Node[];
};

/** Names of id fields. Their schemas may accept any string, because a malformed id is answered like an unknown id. */
const idName = /(?:^id|Id|_id|^ids|Ids|^cursor|^channel_name|^run)$/;

/**
 * Returns the fields of a route's query and body that contain ids, according to its schemas: `checkpointId`,
 * `dependencies[].projectId`. `checkpoints{}` represents the keys of an object, and `checkpoints.*` its values.
 */
export function idFields({
  query,
  body,
  rawBody = {},
}: Pick<AnyDeclaration, "query" | "body" | "rawBody">): string[] {
  const raw = Object.values(rawBody).map(({ schema }) => schema);
  const schemas = [query, body, ...raw].filter((schema) => schema !== undefined);
  return [...new Set(schemas.flatMap(fieldsOf))].sort();
}

function fieldsOf(schema: z.ZodType): string[] {
  const root = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as Node & {
    $defs?: Record<string, Node>;
  };
  const found: string[] = [];
  const visit = (given: Node, path: string, seen: readonly string[]): void => {
    const ref = given.$ref?.replace("#/$defs/", "");
    if (ref !== undefined && seen.includes(ref)) return;
    const node = ref === undefined ? given : root.$defs![ref]!;
    const inside = ref === undefined ? seen : [...seen, ref];
    if (node.format === "uuid") found.push(path);
    for (const one of [...(node.anyOf ?? []), ...(node.allOf ?? []), ...(node.oneOf ?? [])]) {
      visit(one, path, inside);
    }
    for (const [name, child] of Object.entries(node.properties ?? {})) {
      const field = path === "" ? name : `${path}.${name}`;
      if (idName.test(name)) found.push(field);
      visit(child, field, inside);
    }
    if (node.items) visit(node.items, `${path}[]`, inside);
    if (node.propertyNames) visit(node.propertyNames, `${path}{}`, inside);
    if (typeof node.additionalProperties === "object") visit(node.additionalProperties, `${path}.*`, inside);
  };
  visit(root, "", []);
  return found;
}

import type { GlossaryTerm } from "./read-glossary.ts";
import type { JsonSchema, ReferenceField } from "./schema-text.ts";

type Example = { value: unknown; summary?: string };
export type Content = Record<string, { schema?: JsonSchema; examples?: Record<string, Example> }>;
export type OperationObject = {
  operationId?: string;
  tags?: string[];
  summary?: string;
  description?: string;
  security?: Record<string, unknown>[];
  parameters?: {
    in: string;
    name: string;
    required?: boolean;
    description?: string;
    example?: unknown;
    schema?: JsonSchema;
  }[];
  requestBody?: { content: Content };
  responses?: Record<string, { description?: string; headers?: object; content?: Content }>;
};

/** Parts of an OpenAPI document that the reference shows. */
export type ApiDocument = {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  webhooks: Record<string, { post: OperationObject }>;
  components: { schemas: Record<string, JsonSchema>; examples: Record<string, Example> };
};

export type ReferenceParameter = ReferenceField & { place: string; example: string };
export type ReferenceExample = { name: string; summary: string; value: unknown };
type ReferenceBody = {
  mediaTypes: string[];
  /** Fields of a JSON body; empty for other bodies. */
  fields: ReferenceField[];
  examples: ReferenceExample[];
};
export type ReferenceOperation = {
  id: string;
  method: string;
  path: string;
  summary: string;
  description: string;
  auth: "key" | "session" | "none";
  parameters: ReferenceParameter[];
  body: ReferenceBody | null;
  success: {
    status: string;
    description: string;
    /** Type of the envelope's data, or of the body without an envelope. */
    data: string | null;
    mediaTypes: string[];
    headers: string[];
    examples: ReferenceExample[];
  };
  failures: { status: string; codes: { code: string; meaning: string }[] }[];
};
type ReferenceSection = { tag: string; description: string; operations: ReferenceOperation[] };
export type Reference = {
  sections: ReferenceSection[];
  objects: { name: string; fields: ReferenceField[] }[];
  events: { name: string; meaning: string }[];
  /** Example body of an error response. */
  failure: unknown;
  glossary: GlossaryTerm[];
};

/** Returns the media type of example requests: JSON if the operation accepts it. */
export function sentAs({ mediaTypes }: ReferenceBody): string {
  return mediaTypes.includes("application/json") ? "application/json" : (mediaTypes[0] ?? "");
}

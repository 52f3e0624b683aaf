import type { JsonSchema, ReferenceField } from "./schema-text.ts";

export type Example = { value: unknown; summary?: string };
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

/** The parts of an OpenAPI document that the reference shows. */
export type ApiDocument = {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  webhooks: Record<string, { post: OperationObject }>;
  components: { schemas: Record<string, JsonSchema>; examples: Record<string, Example> };
};

export type ReferenceParameter = ReferenceField & { place: string; example: string };
export type ReferenceExample = { name: string; summary: string; value: unknown };
export type ReferenceBody = {
  mediaTypes: string[];
  /** Empty for a body that is no JSON. */
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
    /** Type of what the envelope holds, or of the body where there is none. */
    data: string | null;
    mediaTypes: string[];
    headers: string[];
    examples: ReferenceExample[];
  };
  failures: { status: string; codes: { code: string; meaning: string }[] }[];
};
export type ReferenceSection = { tag: string; description: string; operations: ReferenceOperation[] };
export type Reference = {
  sections: ReferenceSection[];
  objects: { name: string; fields: ReferenceField[] }[];
  events: { name: string; meaning: string }[];
  /** Body of a failure, as an example. */
  failure: unknown;
};

/** The media type in which an example is sent: JSON where the operation takes it. */
export function sentAs({ mediaTypes }: ReferenceBody): string {
  return mediaTypes.includes("application/json") ? "application/json" : (mediaTypes[0] ?? "");
}

import type { CreateDocumentOptions } from "zod-openapi";

type Override = Extract<NonNullable<CreateDocumentOptions["override"]>, (...args: never) => unknown>;

/** What zod's own description of a schema says too much or too little of. */
export const describeSchema: Override = ({ zodSchema, jsonSchema, io }) => {
  const { def } = zodSchema._zod;
  // "Within /api/v1 changes only add": a validator at the client's must let fields pass that it does not know.
  if (io === "output" && def.type === "object" && def.catchall === undefined) {
    delete jsonSchema.additionalProperties;
  }
  // The bounds of a safe integer are no rule of ours.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.format === undefined) return;
  // The format is for instants with a zone. Where it says it all, the pattern is noise.
  if ("local" in def && def.local === true) delete jsonSchema.format;
  else delete jsonSchema.pattern;
};

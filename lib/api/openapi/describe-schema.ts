import type { CreateDocumentOptions } from "zod-openapi";

type Override = Extract<NonNullable<CreateDocumentOptions["override"]>, (...args: never) => unknown>;

/** Corrects zod's description of a schema where it is too strict or incomplete. */
export const describeSchema: Override = ({ zodSchema, jsonSchema, io }) => {
  const { def } = zodSchema._zod;
  // Changes within /api/v1 are additive only: a client's validator must accept unknown fields.
  if (io === "output" && def.type === "object" && def.catchall === undefined) {
    delete jsonSchema.additionalProperties;
  }
  // The API does not limit integers to the safe range.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.format === undefined) return;
  // The format applies to instants with a zone. If the format is complete, the pattern is redundant.
  if ("local" in def && def.local === true) delete jsonSchema.format;
  else delete jsonSchema.pattern;
};

import type { CreateDocumentOptions } from "zod-openapi";

type Override = Extract<NonNullable<CreateDocumentOptions["override"]>, (...args: never) => unknown>;

/** Corrects zod's description of a schema where it is too strict or incomplete. */
export const describeSchema: Override = ({ zodSchema, jsonSchema, io }) => {
  const { def } = zodSchema._zod;
  // Changes within /api/v1 are additive only: a client's validator must accept unknown fields.
  if (io === "output" && def.type === "object" && def.catchall === undefined) {
    delete jsonSchema.additionalProperties;
  }
  // zod's default bounds of integers are no limits of the API.
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.format === undefined) return;
  // `date-time` requires a zone, so a schema that also accepts local times keeps only its pattern. All other formats make
  // the pattern redundant.
  if ("local" in def && def.local === true) delete jsonSchema.format;
  else delete jsonSchema.pattern;
};

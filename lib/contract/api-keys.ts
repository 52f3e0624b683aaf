import { z } from "zod";
import { Id, Instant } from "./common.ts";

export const ApiKey = z
  .object({
    id: Id,
    name: z.string(),
    prefix: z.string().meta({ description: "The key's first 8 characters" }),
    createdAt: Instant,
    createdBy: z.string(),
    lastUsedAt: Instant.nullable(),
    expiresAt: Instant.nullable(),
    revokedAt: Instant.nullable(),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof ApiKey>;

export const CreatedApiKey = ApiKey.extend({
  key: z.string().meta({ description: "The key itself: shown this once" }),
}).meta({ id: "CreatedApiKey" });
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;

export const CreateApiKey = z.strictObject({
  name: z.string().trim().min(1).max(100),
  expiresAt: z.iso.datetime({ offset: true }).nullish(),
});
export type CreateApiKey = z.infer<typeof CreateApiKey>;

export const RotateApiKey = z.strictObject({
  overlapSeconds: z
    .number()
    .int()
    .min(0)
    .max(30 * 86_400),
});

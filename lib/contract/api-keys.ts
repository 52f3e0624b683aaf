import { z } from "zod";
import { Id, Instant, InstantWithZone, optional } from "./common.ts";

export const ApiKey = z
  .object({
    id: Id.meta({ description: "Key identifier" }),
    name: z.string().meta({ description: "Of the application that uses it" }),
    prefix: z.string().meta({ description: "The key's first 8 characters" }),
    createdAt: Instant.meta({ description: "Creation time" }),
    createdBy: z.string().meta({ description: "User identifier of the creator, for whom the key acts" }),
    lastUsedAt: Instant.nullable().meta({ description: "Last call, to the minute; null: never used" }),
    expiresAt: Instant.nullable().meta({ description: "From then on it is not accepted; null: never" }),
    revokedAt: Instant.nullable().meta({ description: "Since then it is not accepted; null: not revoked" }),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof ApiKey>;

/** A key in the list: also how much it was used lately. */
export const ListedApiKey = ApiKey.extend({
  requests: z
    .array(
      z.object({
        day: z.iso.date().meta({ description: "Day, UTC", examples: ["2026-01-31"] }),
        count: z.number().int().meta({ description: "Requests that came with the key" }),
      }),
    )
    .meta({
      description:
        "The last 14 days, today the last of them; the newest requests are added within half a minute",
    }),
}).meta({ id: "ListedApiKey" });
export type ListedApiKey = z.infer<typeof ListedApiKey>;

export const CreatedApiKey = ApiKey.extend({
  key: z.string().meta({ description: "The key itself: shown this once" }),
}).meta({ id: "CreatedApiKey" });
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;

export const CreateApiKey = z.strictObject({
  name: z.string().trim().min(1).max(100).meta({ description: "Of the application that will use it" }),
  expiresAt: optional(InstantWithZone).meta({
    description: "From then on it is not accepted; never without it",
  }),
});
export type CreateApiKey = z.infer<typeof CreateApiKey>;

export const RotateApiKey = z.strictObject({
  overlapSeconds: z
    .number()
    .int()
    .min(0)
    .max(30 * 86_400)
    .meta({ description: "How long the old key is still accepted" }),
});

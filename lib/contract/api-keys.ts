import { z } from "zod";
import { Id, Instant, InstantWithZone, optional } from "./common.ts";
import { visibleLine } from "./visible-line.ts";

/** Effects that calls with a key may have, in the order in which they are stored. */
export const scopes = ["read", "predict", "write"] as const;
export type Scope = (typeof scopes)[number];

const scopesText =
  "`read` permits GET requests, `predict` permits calls that compute and store nothing, such as `POST …/predict`, and `write` permits all other calls.";

/** Maximum number of addresses and networks of a key. */
const ADDRESSES_MAX = 20;
const addressForms = [z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()];
const AllowedAddress = z
  .string()
  .refine(
    (text) => addressForms.some((form) => form.safeParse(text).success),
    "Use an address like 192.0.2.7, or a network like 10.0.0.0/8 or 2001:db8::/32",
  );
const addressesText = "Addresses and networks from which the key may be used";

export const ApiKey = z
  .object({
    id: Id.describe("Unique identifier of the API key."),
    name: z.string().describe("Name of the program that uses the key."),
    prefix: z.string().describe("First 8 characters of the key."),
    createdAt: Instant.describe("Time of creation."),
    createdBy: z
      .string()
      .describe("ID of the user who created the key. Requests with the key act on behalf of this user."),
    lastUsedAt: Instant.nullable().describe(
      "Time of the last request with the key, to the minute. `null` if the key was never used.",
    ),
    expiresAt: Instant.nullable().describe(
      "Time at which the key expires. `null` if the key does not expire.",
    ),
    scopes: z.array(z.enum(scopes)).describe(`Calls that the key permits. ${scopesText}`),
    allowedAddresses: z
      .array(z.string())
      .nullable()
      .describe(`${addressesText}. \`null\` if all are permitted.`),
    revokedAt: Instant.nullable().describe(
      "Time at which the key was revoked. `null` if the key is not revoked.",
    ),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof ApiKey>;

/** An API key in a list, with its recent use. */
export const ListedApiKey = ApiKey.extend({
  createdByRemoved: z
    .boolean()
    .describe(
      "Whether the user who created the key is no longer a member. The key stays valid until revoked.",
    ),
  requests: z
    .array(
      z.object({
        day: z.iso.date().meta({ description: "Day, in UTC.", examples: ["2026-01-31"] }),
        count: z.number().int().describe("Number of requests with the key."),
      }),
    )
    .describe(
      "Requests per day over the last 14 days, today last. New requests are included within 30 seconds.",
    ),
}).meta({ id: "ListedApiKey" });
export type ListedApiKey = z.infer<typeof ListedApiKey>;

export const CreatedApiKey = ApiKey.extend({
  key: z.string().describe("The API key itself. The service returns it only once."),
}).meta({ id: "CreatedApiKey" });
export type CreatedApiKey = z.infer<typeof CreatedApiKey>;

export const CreateApiKey = z.strictObject({
  name: visibleLine(1, 100).describe("Name of the program that will use the key."),
  expiresAt: optional(InstantWithZone).describe(
    "Time at which the key expires. If omitted, the key does not expire.",
  ),
  scopes: optional(
    z
      .array(z.enum(scopes))
      .min(1)
      .max(3)
      .refine((some) => new Set(some).size === some.length, "Name each scope once"),
  ).describe(`Calls that the key permits. ${scopesText} Defaults to all.`),
  allowedAddresses: optional(z.array(AllowedAddress).min(1).max(ADDRESSES_MAX)).describe(
    `${addressesText}, such as \`192.0.2.7\` and \`10.0.0.0/8\`. If omitted, the key may be used from everywhere.`,
  ),
});
export type CreateApiKey = z.infer<typeof CreateApiKey>;

export const RotateApiKey = z.strictObject({
  overlapSeconds: z
    .number()
    .int()
    .min(0)
    .max(30 * 86_400)
    .describe("Time in seconds for which the old key remains valid."),
});

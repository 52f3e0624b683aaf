import { z } from "zod";
import { hasAnyField, Id, Instant, optional } from "./common.ts";
import { limits } from "./limits.ts";
import { EventName } from "./realtime.ts";

/** Type of the event that `POST …/webhooks/{webhookId}/test` sends. */
export const testEvent = "webhook-test";

/**
 * Reasons why a webhook is disabled: a user requested it, the receiver answered 410 Gone, or it accepted nothing for the
 * time of all attempts of a delivery.
 */
export const disabledReasons = ["requested", "gone", "failing"] as const;

/** Formats of the body: that of Standard Webhooks, or a message for an incoming webhook of a chat. */
export const webhookFormats = ["standard", "slack", "teams"] as const;
const Format = z
  .enum(webhookFormats)
  .describe(
    "Format of the body. `standard`: the event as JSON, by Standard Webhooks. `slack` and `teams`: a short message for an incoming webhook of Slack, or of a workflow of Microsoft Teams.",
  );
export type WebhookFormat = z.infer<typeof Format>;

export const Webhook = z
  .object({
    id: Id.describe("Unique identifier of the webhook."),
    projectId: Id.describe("ID of the owning project."),
    url: z.string().describe("Address that receives the events."),
    events: z.array(EventName).describe("Names of the events that are sent."),
    format: Format,
    enabled: z.boolean().describe("Whether events are sent."),
    disabledAt: Instant.nullable().describe(
      "Time at which the webhook was disabled. `null` if it is enabled.",
    ),
    disabledReason: z
      .enum(disabledReasons)
      .nullable()
      .describe(
        "Reason why the webhook is disabled: `requested` by a user, `gone` if the receiver answered 410, `failing` if all attempts of a delivery failed and the receiver accepted no other. `null` if it is enabled.",
      ),
    previousSecretExpiresAt: Instant.nullable().describe(
      "Time until which deliveries also carry a signature by the previous secret. `null` if the last rotation had no overlap.",
    ),
    rotatedAt: Instant.nullable().describe(
      "Time of the last rotation of the secret. `null` if it was not rotated.",
    ),
    createdAt: Instant.describe("Time of creation."),
    createdBy: z.string().describe("ID of the user who created the webhook."),
  })
  .meta({ id: "Webhook" });
export type Webhook = z.infer<typeof Webhook>;

export const WebhookWithSecret = Webhook.extend({
  secret: z
    .string()
    .describe(
      "Secret that signs deliveries: `whsec_` and 32 bytes in base64. The service returns it only once.",
    ),
}).meta({ id: "WebhookWithSecret" });
export type WebhookWithSecret = z.infer<typeof WebhookWithSecret>;

/** Returns the problem of a receiver's address; null for an absolute http or https URL without credentials. */
function problemOfUrl(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) return "Use an address like https://example.com/hooks";
  return url.username + url.password === ""
    ? null
    : "Remove the user name and password. Deliveries are signed instead";
}

const Url = z
  .string()
  .trim()
  .max(limits.webhookUrlMax)
  .superRefine((text, { addIssue }) => {
    const message = problemOfUrl(text);
    if (message !== null) addIssue({ code: "custom", message });
  })
  .meta({
    description: "Address that receives the events, over http or https, in a public network.",
    examples: ["https://example.com/hooks"],
  });

const Events = z
  .array(EventName)
  .min(1)
  .max(EventName.options.length)
  .refine((names) => new Set(names).size === names.length, "Name each event once")
  .describe(
    "Names of the events to send. `job-updated` is sent when a job's status changes, not its progress.",
  );

export const CreateWebhook = z.strictObject({
  url: Url,
  events: Events,
  format: optional(Format).describe(`${Format.description} Default: \`standard\`.`),
});
export type CreateWebhook = z.infer<typeof CreateWebhook>;

export const UpdateWebhook = z
  .strictObject({
    url: optional(Url),
    events: optional(Events),
    format: optional(Format),
    enabled: optional(z.boolean()).describe("Whether events are sent."),
  })
  .refine(hasAnyField, "Send at least one of url, events, format and enabled");
export type UpdateWebhook = z.infer<typeof UpdateWebhook>;

export const RotateWebhook = z.strictObject({
  overlapSeconds: z
    .number()
    .int()
    .min(0)
    .max(30 * 86_400)
    .describe("Time in seconds for which deliveries carry signatures by both secrets."),
});

export const deliveryStatuses = ["Pending", "Delivered", "Failed"] as const;

export const Delivery = z
  .object({
    id: Id.describe("Unique identifier of the delivery."),
    webhookId: Id.describe("ID of the webhook."),
    eventId: Id.describe("ID of the event, which every attempt sends as `webhook-id`."),
    type: z.string().meta({
      description: `Name of the event, or \`${testEvent}\`.`,
      examples: ["scenario-completed"],
    }),
    status: z
      .enum(deliveryStatuses)
      .describe(
        "`Pending`: the next attempt follows. `Delivered`: the receiver answered with a status from 200 to 299. `Failed`: no attempt follows.",
      ),
    attempts: z
      .number()
      .int()
      .describe("Number of attempts since the event or since it was last sent again."),
    responseStatus: z
      .number()
      .int()
      .nullable()
      .describe("HTTP status of the last answer. `null` without an answer."),
    responseBody: z
      .string()
      .nullable()
      .describe("Start of the last answer's body, at most 1 kB. `null` without an answer."),
    error: z.string().nullable().describe("Reason why the last attempt failed. `null` if it did not."),
    createdAt: Instant.describe("Time of the event."),
    lastAttemptAt: Instant.nullable().describe("Time of the last attempt. `null` before the first one."),
    nextAttemptAt: Instant.nullable().describe("Time of the next attempt. `null` if none follows."),
  })
  .meta({ id: "Delivery" });
export type Delivery = z.infer<typeof Delivery>;

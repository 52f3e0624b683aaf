import type { EventName, EventPayload } from "#lib/contract/realtime";
import { testEvent, type WebhookFormat } from "#lib/contract/webhooks";
import { oneLine } from "#lib/platform/mail/layout-mail";

type Occasion = {
  /** Name of the event, or of the test event. */
  type: string;
  data: EventPayload;
  /** Name of the project. */
  project: string;
  /** Address of the service in links; null if it is not configured. */
  publicUrl: string | null;
};

/** Sentence about an event, and the page within the project that shows it. */
type News = readonly [text: string, page: string];

/** Returns the body of an incoming webhook of a chat: one sentence about the event, the project and a link. */
export function chatMessage(format: Exclude<WebhookFormat, "standard">, occasion: Occasion): object {
  const { data, publicUrl } = occasion;
  const [news, page] = newsOf(occasion);
  const text = `${news}. Project: ${oneLine(occasion.project)}.`;
  const url = publicUrl === null ? null : `${publicUrl}/projects/${data.projectId}/${page}`;
  return format === "slack" ? slackMessage(text, url) : teamsMessage(text, url);
}

function newsOf({ type, data: { entityId, status, label } }: Occasion): News {
  const named = (kind: string) => (label === null ? `A ${kind}` : `The ${kind} “${oneLine(label)}”`);
  const scenario = `scenarios/${entityId}`;
  const checkpoint = `checkpoints?open=${entityId}`;
  const news: Record<EventName | typeof testEvent, News> = {
    "scenario-completed": [`${named("scenario")} is complete`, scenario],
    "scenario-failed": [`${named("scenario")} has failed`, scenario],
    "scenario-updated": [`${named("scenario")} was changed`, scenario],
    "scenario-deleted": [`${named("scenario")} was deleted`, "scenarios"],
    "model-trained": [`${named("model")} is the current model now`, "model"],
    "default-changed": ["The default checkpoint has changed", "checkpoints"],
    "checkpoint-created": [`${named("checkpoint")} is complete`, checkpoint],
    "checkpoint-failed": [`${named("checkpoint")} was not created`, "jobs"],
    "checkpoint-updated": [`${named("checkpoint")} was changed`, checkpoint],
    "checkpoint-deleted": [`${named("checkpoint")} was deleted`, "checkpoints"],
    "dataset-changed": ["The data have changed", "data"],
    "project-updated": ["The settings of the project have changed", "settings"],
    "job-updated": [`The job ${label} has the status ${status}`, "jobs"],
    [testEvent]: ["This is a test of the webhook", "settings"],
  };
  return news[type as keyof typeof news];
}

const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** https://docs.slack.dev/messaging/formatting-message-text */
function slackMessage(text: string, url: string | null): object {
  // A name such as `<!channel>` would otherwise call everybody.
  const escaped = text.replaceAll(/[&<>]/g, (character) => entities[character]!);
  return { text: url === null ? escaped : `${escaped}\n<${url}|Open in Forkcast>` };
}

/** An adaptive card, as the workflow "When a Teams webhook request is received" takes it. */
function teamsMessage(text: string, url: string | null): object {
  const content = {
    $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
    type: "AdaptiveCard",
    version: "1.4",
    // A text run has no Markdown, so that names stay as they are.
    body: [{ type: "RichTextBlock", inlines: [{ type: "TextRun", text }] }],
    ...(url !== null && { actions: [{ type: "Action.OpenUrl", title: "Open in Forkcast", url }] }),
  };
  return {
    type: "message",
    attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", content }],
  };
}

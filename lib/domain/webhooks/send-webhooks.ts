import { eq } from "drizzle-orm";
import type { Database } from "#db/client";
import { projects } from "#db/schema/projects";
import { startTurns } from "#lib/platform/concurrency/start-turns";
import { environment } from "#lib/platform/config/environment";
import { chatMessage } from "./chat-message.ts";
import { PostError, postPinned } from "./post-pinned.ts";
import { type Outcome, recordAttempt } from "./record-attempt.ts";
import type { Resolve } from "./resolve-host.ts";
import { type Busy, endLease, type Turn, takeTurn } from "./take-turn.ts";
import { signedHeaders, unsealSecret } from "./webhook-secret.ts";

const attemptMs = 10_000;
/**
 * Requests in flight of this process: in total, of one project and to one host. Each webhook has at most one. So a host that
 * hangs, or a project whose 20 hosts all hang, leaves room for others.
 */
const atOnce = { all: 64, project: 16, host: 4 };

type Options = { resolve?: Resolve };

/**
 * Starts to send due deliveries. Any number of workers share them.
 *
 * @returns a function that stops; requests in flight are ended, and other workers send them again
 */
export function startSendingWebhooks(db: Database, options: Options = {}): () => Promise<void> {
  return startTurns<Turn>({
    name: "webhooks",
    atOnce: atOnce.all,
    take: (running) => takeTurn(db, busyWith(running)),
    // A turn that could not be recorded is repeated.
    run: (turn, stopping) => runTurn(db, turn, stopping, options),
  });
}

function busyWith(turns: readonly Turn[]): Busy {
  const full = (keyOf: (turn: Turn) => string, most: number) =>
    [...Map.groupBy(turns, keyOf)].filter(([, same]) => same.length >= most).map(([key]) => key);
  return {
    hosts: full(({ webhook }) => webhook.host, atOnce.host),
    projects: full(({ webhook }) => webhook.projectId, atOnce.project),
  };
}

async function runTurn(db: Database, turn: Turn, stopping: AbortSignal, options: Options): Promise<void> {
  const outcome = await send(db, turn, AbortSignal.any([stopping, AbortSignal.timeout(attemptMs)]), options);
  if (stopping.aborted && outcome.responseStatus === null) await endLease(db, turn);
  else await recordAttempt(db, turn, outcome);
}

async function send(db: Database, turn: Turn, signal: AbortSignal, options: Options): Promise<Outcome> {
  const { webhook } = turn;
  const none = { responseStatus: null, responseBody: null };
  const secrets = secretsOf(webhook);
  if (secrets.length === 0) {
    return {
      ...none,
      error: "The secret cannot be read, because AUTH_SECRET has changed. Rotate the secret",
    };
  }
  const id = turn.delivery.eventId;
  const body = JSON.stringify(await contentOf(db, turn));
  const headers = {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    "user-agent": "Forkcast-Webhooks",
    ...signedHeaders(secrets, { id, body }),
  };
  try {
    const allowPrivate = environment().webhooksAllowPrivate;
    const answer = await postPinned(webhook.url, { headers, body, signal, allowPrivate, ...options });
    const isAccepted = answer.status >= 200 && answer.status < 300;
    return {
      responseStatus: answer.status,
      responseBody: answer.body,
      error: isAccepted ? null : `The receiver answered ${answer.status}`,
    };
  } catch (error) {
    if (!(error instanceof PostError)) throw error;
    return { ...none, error: error.message };
  }
}

async function contentOf(db: Database, { webhook, delivery }: Turn): Promise<object> {
  const { type, data } = delivery;
  if (webhook.format === "standard") return { type, timestamp: data.occurredAt, data };
  const [project] = await db
    .select({ name: projects.name })
    .from(projects)
    .where(eq(projects.id, webhook.projectId));
  return chatMessage(webhook.format, {
    type,
    data,
    project: project?.name ?? "",
    publicUrl: environment().publicUrl,
  });
}

/** Returns the readable secrets that sign now, the newest first. */
function secretsOf({ id, secret, previousSecret, previousSecretExpiresAt }: Turn["webhook"]): string[] {
  const isOverlap = previousSecret !== null && previousSecretExpiresAt!.getTime() > Date.now();
  return [secret, ...(isOverlap ? [previousSecret] : [])].flatMap((sealed) => unsealSecret(sealed, id) ?? []);
}

// The web server: Next.js behind a server of our own (`--dev`: with its development server).
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { constants as zlib } from "node:zlib";
import compression from "compression";
import { closeDatabase, database } from "#db/client";
import { ownSecretWarning } from "#lib/config/auth-secret";
import { StartError } from "#lib/config/start-error";
import { addKeyUses } from "#lib/domain/api-keys/count-uses";
import { markStopping } from "#lib/health/stopping";
import { environment } from "#lib/platform/config/environment";
import { awaitSchema } from "#lib/platform/health/await-schema";
import { consoleToLog } from "#lib/platform/log/console-to-log";
import { gatherLines, logger } from "#lib/platform/log/logger";
import { onStop } from "../server/stop-signals.ts";
import { compressedFiles } from "../server/web/compressed-files.ts";
import { continueWhenRead } from "../server/web/continue-when-read.ts";
import { endInTurn } from "../server/web/drain-server.ts";
import { prepareRequest, setHeaders } from "../server/web/prepare-request.ts";
import { lacksHost, noHost, noProxy, refuseMalformed } from "../server/web/refuse-malformed.ts";
import { refuseRequest } from "../server/web/refuse-request.ts";
import { closingUnread, isLeaving } from "../server/web/unread-body.ts";
import { reportAndExit } from "./report-and-exit.ts";
import { routeHandlers } from "./web/answer-by-route.ts";
import { renderOnce } from "./web/render-once.ts";

const root = path.dirname(import.meta.dirname);
const drainMs = 8_000;
const closeMs = 1_000;
/** An upload of 2 GiB over a slow line takes its time; headers still have to come within Node's own minute. */
const requestTimeoutMs = 3_600_000;

/** Answers are numbers, and whoever asks waits for them: a tenth more to send, and half the time (docs/decisions/0105). */
const compressing = { level: 2, brotli: { params: { [zlib.BROTLI_PARAM_QUALITY]: 1 } } };

// V8 learns which objects stay, and makes such at once where they do. Of what calls make, it takes some for those, as enough
// were in use whenever it looked, and keeps all that they point to until it next collects everything.
setFlagsFromString("--no-allocation-site-pretenuring");
// New objects are collected by this thread alone: there is so little to keep that others cost more than they help.
setFlagsFromString("--no-parallel-scavenge");

try {
  await serve(process.argv.includes("--dev"));
} catch (error) {
  reportAndExit(error);
}

async function serve(dev: boolean): Promise<void> {
  const settings = environment();
  if (!dev) consoleToLog();
  gatherLines();
  const warning = ownSecretWarning(settings);
  if (warning !== null) logger().warn(warning);
  const { default: next } = await import("next");
  const { port, bindAddress } = settings;
  const app = next({
    dev,
    dir: root,
    hostname: bindAddress ?? "localhost",
    port,
  });
  // The development server answers from sources that change.
  const direct = dev ? null : import("../server/web/answer-directly.ts");
  await app.prepare();
  const answering = await direct;
  process.title = "web of prediction-service";
  const handle = app.getRequestHandler();
  const answerByRoute = dev ? null : routeHandlers(root);
  const compress = compression(compressing);
  const sendCompressed = dev ? () => false : compressedFiles(path.join(root, ".next", "static"));

  const latest = new WeakMap<Socket, ServerResponse>();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (isLeaving(socket)) return;
    if (lacksHost(request)) return refuseMalformed(noHost, socket, latest.get(socket));
    latest.set(socket, response);
    const headers = prepareRequest(request, settings, dev);
    ending.begins(request, response);
    try {
      if (await answering?.answerDirectly(request, response, headers)) return;
      setHeaders(response, headers);
      if (sendCompressed(request, response)) return;
      if (refuseRequest(request, response)) return;
      response.setHeader("Vary", "Accept-Encoding");
      // It gives the answer functions of its own, with which that lives longer: only where there is something to do.
      if (request.headers["accept-encoding"] !== undefined) compress(request, response, () => {});
      if (await answerByRoute?.(request, response)) return;
      await handle(request, response);
    } catch (error) {
      logger().error({ err: error, path: request.url }, "a request could not be answered");
      response.destroy();
    }
  };
  const server = createServer(
    {
      ServerResponse: closingUnread(),
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: 65_000,
      // Node.js would refuse it with an empty answer.
      requireHostHeader: false,
      // Clients offer HTTP/2 by an upgrade that may be ignored; Next.js would close the connection. Its development
      // server has a socket of its own.
      shouldUpgradeCallback: () => dev,
    },
    answer,
  );
  // RFC 9110, section 10.1.1: what else is expected may be ignored.
  server.on("checkExpectation", answer);
  server.on("checkContinue", (request, response) => {
    continueWhenRead(request, response);
    return answer(request, response);
  });
  server.on("clientError", (error, socket: Socket) => refuseMalformed(error, socket, latest.get(socket)));
  server.on("connect", ({ socket }) => refuseMalformed(noProxy, socket, latest.get(socket)));
  const ending = endInTurn(server);
  const stopping = new AbortController();
  onStop(async (reason) => {
    if (reason === "disconnect") process.exit(1); // The supervisor is gone, and PostgreSQL with it.
    stopping.abort();
    markStopping();
    ending.lastAnswers();
    // Whoever spreads requests over several processes has to see first that this one is not ready any more.
    await delay((settings.drainSeconds ?? 0) * 1_000);
    await ending.close(drainMs);
    // What nobody waits for any more, perhaps for a database that hangs, is given little time.
    const added = addKeyUses(database()).catch(() => {});
    await Promise.race([added.then(closeDatabase), delay(closeMs)]);
    process.exit(0);
  });
  server.once("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE") reportAndExit(error);
    reportAndExit(
      new StartError(`PORT is ${port}, but another program uses that port: set PORT to a free one.`),
    );
  });
  server.listen({ port, ...(bindAddress === null ? {} : { host: bindAddress }) }, () => {
    logger().info({ port }, `listening on port ${port}`);
  });
  // Without a database that it can use the process answers 503 and is not ready, but it is there.
  await awaitSchema(database(), stopping.signal);
  if (!dev && !stopping.signal.aborted) await renderOnce(server.address() as AddressInfo);
}

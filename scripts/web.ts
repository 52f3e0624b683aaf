// The web server: Next.js behind a server of our own (`--dev`: with its development server).
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { constants as zlib } from "node:zlib";
import compression from "compression";
import { addKeyUses } from "#lib/domain/api-keys/count-uses";
import { environment } from "#lib/platform/config/environment";
import { ownSecretWarning } from "#lib/platform/config/secrets";
import { closeDatabase, database } from "#lib/platform/database/process-database";
import { StartError } from "#lib/platform/errors/start-errors";
import { awaitSchema } from "#lib/platform/health/await-schema";
import { markStopping } from "#lib/platform/health/probes";
import { consoleToLog } from "#lib/platform/log/console-to-log";
import { gatherLines, logger } from "#lib/platform/log/logger";
import { reportAndExit } from "../server/report-and-exit.ts";
import { onStop } from "../server/stop-signals.ts";
import { compressedFiles } from "../server/web/compressed-files.ts";
import { continueWhenRead } from "../server/web/continue-when-read.ts";
import { drainServer } from "../server/web/drain-server.ts";
import { prepareRequest, setHeaders } from "../server/web/prepare-request.ts";
import { hostError, noProxy, rejectMalformed } from "../server/web/reject-malformed.ts";
import { rejectRequest } from "../server/web/reject-request.ts";
import { isLingering, unreadBodyResponse } from "../server/web/unread-body.ts";
import { warmUp } from "../server/web/warm-up.ts";

const root = path.dirname(import.meta.dirname);
const drainMs = 8_000;
const closeMs = 1_000;
/**
 * Time limit of a request, long enough for an upload of 2 GiB over a slow line. Headers must arrive within one minute,
 * the default of Node.js.
 */
const requestTimeoutMs = 3_600_000;

/** Compression level for responses of numbers: a tenth more bytes, half the time (docs/decisions/0174). */
const compressing = { level: 2, brotli: { params: { [zlib.BROTLI_PARAM_QUALITY]: 1 } } };

// V8 allocates objects in the old generation if earlier objects of the same code have survived. It misjudges objects of
// requests, and then keeps all objects that they reference until the next full collection.
setFlagsFromString("--no-allocation-site-pretenuring");
// One thread collects new objects. So few survive that further threads cost more than they save.
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
  // In development, Next.js answers every route, because sources change.
  const direct = dev ? null : import("../server/web/answer-directly.ts");
  await app.prepare();
  const directRoutes = await direct;
  process.title = "web of forkcast";
  const handle = app.getRequestHandler();
  const compress = compression(compressing);
  const sendCompressed = dev ? () => false : compressedFiles(path.join(root, ".next", "static"));

  const latest = new WeakMap<Socket, ServerResponse>();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request;
    if (isLingering(socket)) return;
    const wrongHost = hostError(request);
    if (wrongHost) return rejectMalformed(wrongHost, socket, latest.get(socket));
    latest.set(socket, response);
    const headers = prepareRequest(request, settings, dev);
    drain.track(request, response);
    try {
      if (await directRoutes?.answerDirectly(request, response, headers)) return;
      setHeaders(response, headers);
      if (sendCompressed(request, response)) return;
      if (rejectRequest(request, response)) return;
      response.setHeader("Vary", "Accept-Encoding");
      // Compression adds closures to the response, which then lives longer. So apply it only if the client accepts it.
      if (request.headers["accept-encoding"] !== undefined) compress(request, response, () => {});
      await handle(request, response);
    } catch (error) {
      logger().error({ err: error, path: request.url }, "a request could not be answered");
      response.destroy();
    }
  };
  const server = createServer(
    {
      ServerResponse: unreadBodyResponse(),
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: 65_000,
      // Node.js would reject the request with an empty response.
      requireHostHeader: false,
      // Clients offer HTTP/2 by an upgrade that may be ignored; Next.js would close the connection. Its development
      // server has its own socket.
      shouldUpgradeCallback: () => dev,
    },
    answer,
  );
  // RFC 9110, section 10.1.1: other expectations may be ignored.
  server.on("checkExpectation", answer);
  server.on("checkContinue", (request, response) => {
    continueWhenRead(request, response);
    return answer(request, response);
  });
  server.on("clientError", (error, socket: Socket) => rejectMalformed(error, socket, latest.get(socket)));
  server.on("connect", ({ socket }) => rejectMalformed(noProxy, socket, latest.get(socket)));
  const drain = drainServer(server);
  const stopping = new AbortController();
  onStop(async (reason) => {
    if (reason === "disconnect") process.exit(1); // The supervisor has died, and PostgreSQL with it.
    stopping.abort();
    markStopping();
    drain.stopKeepAlive();
    // The load balancer first has to notice that this process is not ready.
    await delay((settings.drainSeconds ?? 0) * 1_000);
    await drain.close(drainMs);
    // Limits the time of writes that no caller waits for, in case the database hangs.
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
  // Without a usable database the process runs, responds 503 and is not ready.
  await awaitSchema(database(), stopping.signal);
  if (!dev && !stopping.signal.aborted) await warmUp(server.address() as AddressInfo);
}

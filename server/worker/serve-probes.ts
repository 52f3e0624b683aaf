import { once } from "node:events";
import { createServer } from "node:http";
import { database, databaseConnection } from "#lib/platform/database/process-database";
import { answerLiveness, answerReadiness } from "#lib/platform/health/probes";
import { logger } from "#lib/platform/log/logger";
import { printMetrics } from "#lib/platform/metrics/print-metrics";

/**
 * Serves probes and metrics of a process without other routes, under the same paths as the web process.
 *
 * @param host interface to listen on; null for all
 * @returns a function that stops the server
 */
export async function serveProbes(port: number, host: string | null): Promise<() => Promise<void>> {
  const server = createServer(async (request, response) => {
    try {
      const answer = await answerTo(request.url ?? "/");
      response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    } catch (err) {
      logger().warn({ err }, "a probe could not be answered");
      response.destroy();
    }
  });
  server.listen({ port, ...(host === null ? {} : { host }) });
  await once(server, "listening");
  return async () => {
    server.close().closeAllConnections();
    await once(server, "close");
  };
}

async function answerTo(address: string): Promise<Response> {
  switch (address) {
    case "/api/health/live":
      return answerLiveness();
    case "/api/health/ready":
      return answerReadiness(database());
    case "/api/metrics": {
      const { text, contentType } = await printMetrics(databaseConnection());
      return new Response(text, { headers: { "Content-Type": contentType } });
    }
    default:
      return new Response("Not found\n", { status: 404 });
  }
}

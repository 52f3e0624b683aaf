import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { startWeb, type TestService } from "./service.ts";
import { data, expect, test } from "./signed-in.ts";

// After SIGTERM, a web process reports that it is not ready, accepts requests for DRAIN_SECONDS, and then finishes the
// running ones.

/** Waits for readiness, because the process listens earlier. */
async function startReadyWeb(drainSeconds: string): Promise<TestService> {
  const web = await startWeb(process.env.E2E_DATA_DIR!, { DRAIN_SECONDS: drainSeconds, LOG_LEVEL: "info" });
  await expect.poll(() => fetch(`${web.url}/api/health/ready`).then((answer) => answer.status)).toBe(200);
  return web;
}

for (const drainSeconds of ["0", "2"]) {
  test(`drains and stops a web process, with DRAIN_SECONDS ${drainSeconds}`, async ({ request: api }) => {
    const name = `Stopped after ${drainSeconds}`;
    const { id } = await data<{ id: string }>(api, "post", "/projects", { name });
    const { key } = await data<{ key: string }>(api, "post", `/projects/${id}/api-keys`, { name });
    const web = await startReadyWeb(drainSeconds);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async (path: string) => {
      const [answer] = (await once(request(`${web.url}${path}`, { agent }).end(), "response")) as [
        IncomingMessage,
      ];
      return { status: answer.statusCode, connection: answer.headers.connection, body: await text(answer) };
    };
    const document = (await ask("/api/v1/openapi.json")).body;

    const rows = "temp,demand\n1,2\n".repeat(1_000);
    const upload = request(`${web.url}/api/v1/projects/${id}/uploads`, {
      method: "POST",
      headers: {
        "X-API-Key": key,
        "Content-Type": "text/csv",
        "Content-Length": rows.length,
        // The interim response shows that the request is running.
        Expect: "100-continue",
      },
    });
    const uploaded = once(upload, "response") as Promise<[IncomingMessage]>;
    await once(upload, "continue");
    upload.write(rows.slice(0, 100));
    const download = request(`${web.url}/api/v1/openapi.json`).end();
    const [downloaded] = (await once(download, "response")) as [IncomingMessage];

    process.kill(web.pid, "SIGTERM");
    if (drainSeconds !== "0") {
      await expect.poll(() => ask("/api/health/ready")).toMatchObject({ status: 503, connection: "close" });
      expect(await ask("/api/v1/openapi.json")).toEqual({ status: 200, connection: "close", body: document });
    }
    const isRejected = () =>
      ask("/api/health/live").then(
        () => false,
        (error) => error.code === "ECONNREFUSED",
      );
    await expect.poll(isRejected).toBe(true);
    upload.end(rows.slice(100));
    const [answer] = await uploaded;
    expect([answer.statusCode, JSON.parse(await text(answer))]).toMatchObject([
      201,
      { data: { bytes: rows.length } },
    ]);
    expect(await text(downloaded)).toBe(document);
    expect(await web.exited).toEqual([0, null]);
  });
}

import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { expect } from "@playwright/test";
import { admin, startWeb } from "./service.ts";

export type Answer = {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  /** `data` of the envelope, or null. */
  data: unknown;
  /** Error code, or null. */
  code: string | null;
  /** Fractional milliseconds since the epoch: before the request was sent, and after the response was complete. */
  startedMs: number;
  endedMs: number;
};

/** High-resolution clock that orders events within a millisecond. */
export const nowMs = () => performance.timeOrigin + performance.now();

type Sent = { body?: unknown; headers?: Record<string, string> };

/** Sends a request to the first or second process; objects are sent as JSON, strings unchanged. */
export type Call = (process: number, method: string, path: string, sent?: Sent) => Promise<Answer>;

export type Pair = {
  /**
   * Sends these headers with every request.
   *
   * @param address separate loopback address, because failed authentications are counted by address
   */
  caller(headers: Record<string, string>, address?: string): Call;
  /** Headers of the admin's session; write requests carry a browser's `Origin`. */
  admin: Call;
  stop(): Promise<void>;
};

/** Starts two web processes with the same environment, on the data folder of the shared service. */
export async function startPair(environment: Record<string, string> = {}): Promise<Pair> {
  const processes = await Promise.all([0, 1].map(() => startWeb(process.env.E2E_DATA_DIR!, environment)));
  const origins = processes.map(({ url }) => url.replace("localhost", "127.0.0.1"));
  const agents: Agent[] = [];
  const caller: Pair["caller"] = (headers, localAddress = "127.0.0.1") => {
    const agent = new Agent({ keepAlive: true });
    agents.push(agent);
    return (process, method, path, sent = {}) => {
      const origin = origins[process % 2]!;
      const all = { origin, ...headers, ...sent.headers };
      return send(new URL(path, origin), { method, agent, localAddress, headers: all, body: sent.body });
    };
  };
  const cookie = await signIn(caller({}));
  const stop = async () => {
    for (const agent of agents) agent.destroy();
    await Promise.all(processes.map((process) => process.stop()));
  };
  return { caller, admin: caller({ cookie }), stop };
}

async function signIn(call: Call): Promise<string> {
  let cookie = "";
  // On a busy machine, a process that has just started may return 503 until it has connected to the database.
  await expect(async () => {
    const answer = await call(0, "POST", "/api/auth/sign-in/email", { body: admin });
    expect(answer.status, answer.text).toBe(200);
    cookie = answer.headers["set-cookie"]!.map((line) => line.split(";")[0]).join("; ");
  }).toPass({ timeout: 90_000 });
  return cookie;
}

type Request = {
  method: string;
  agent: Agent;
  localAddress: string;
  headers: Record<string, string>;
  body: unknown;
};

function send(url: URL, { body, headers, ...options }: Request): Promise<Answer> {
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const startedMs = nowMs();
  return new Promise((resolve, reject) => {
    const sending = request(url, { ...options, headers: { ...type, ...headers } }, async (response) => {
      try {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const { statusCode, headers } = response;
        const text = Buffer.concat(chunks).toString();
        resolve({ status: statusCode!, headers, text, ...opened(text), startedMs, endedMs: nowMs() });
      } catch (error) {
        reject(error);
      }
    });
    sending.on("error", reject).end(text);
  });
}

function opened(text: string): Pick<Answer, "data" | "code"> {
  try {
    const { data = null, error } = JSON.parse(text) as { data?: unknown; error?: { code: string } };
    return { data, code: error?.code ?? null };
  } catch {
    return { data: null, code: null };
  }
}

/** Creates a project with a key, as the admin. */
export async function createProject({ admin }: Pair, name: string): Promise<{ id: string; key: string }> {
  const { id } = (await admin(0, "POST", "/api/v1/projects", { body: { name } })).data as { id: string };
  return { id, key: (await createKey(admin, id)).key };
}

export async function createKey(admin: Call, projectId: string): Promise<{ id: string; key: string }> {
  const path = `/api/v1/projects/${projectId}/api-keys`;
  const answer = await admin(0, "POST", path, { body: { name: "Traffic" } });
  if (answer.status !== 201) throw new Error(`No key: ${answer.text}`);
  return answer.data as { id: string; key: string };
}

/** Counts responses by status and code: `{ "200": 3, "429 rate_limited": 17 }`. */
export function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, code } of answers) {
    const name = code === null ? String(status) : `${status} ${code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

import { sql } from "drizzle-orm";
import { database } from "#db/client";
import { countCall, uncountCall } from "#lib/rate-limits/count-call";
import { failureRate, failureSubject } from "#lib/rate-limits/failed-authentications";
import type { Verdict } from "#lib/rate-limits/rate";
import { auth, clientAddressHeader } from "./auth.ts";

/** Wrong passwords for one account, whatever the address. */
const accountRate = { perMinute: 10, burst: 10 };

/** The largest body that a sign-in needs. */
const bodyLimitBytes = 10_000;

/**
 * Lets the sign-in library answer a request of `/api/auth`. Its addresses are those by which the caller reached us.
 *
 * @param origin scheme and host of the request
 * @returns the library's answer, or how long to wait where there were too many wrong passwords
 */
export async function answerAuth(request: Request, origin: string): Promise<Response | Verdict> {
  const url = new URL(request.url);
  const address = `${origin}${url.pathname}${url.search}`;
  if (request.method !== "POST" || !url.pathname.endsWith("/sign-in/email")) {
    return overHttps(await ask(new Request(address, request)), origin);
  }
  const body = await request.text();
  if (body.length > bodyLimitBytes) return new Response(null, { status: 413 });
  const inner = new Request(address, { method: "POST", headers: request.headers, body });
  return signIn(inner, origin, emailIn(body));
}

/** Every attempt counts against the account and the address until it has succeeded, so that many at once count too. */
async function signIn(request: Request, origin: string, email: string): Promise<Response | Verdict> {
  const db = database();
  const client = request.headers.get(clientAddressHeader) ?? "unknown";
  const counts = [
    { subject: failureSubject(client), rate: failureRate() },
    { subject: `sign-in:${email.toLowerCase().slice(0, 254)}`, rate: accountRate },
  ];
  for (const { subject, rate } of counts) {
    const state = await countCall(db, subject, rate);
    if (!state.allowed) return state;
  }
  const response = await ask(request);
  if (response.ok) for (const { subject, rate } of counts) await uncountCall(db, subject, rate);
  return overHttps(response, origin);
}

/**
 * The library hides why it failed. A database that is away makes the query here fail too, so that the caller is told of an
 * outage and not of an error.
 */
async function ask(request: Request): Promise<Response> {
  const response = await auth().handler(request);
  if (response.status < 500) return response;
  await database().execute(sql`select 1`);
  throw new Error(`The sign-in library failed with ${response.status}`);
}

function emailIn(body: string): string {
  try {
    const { email } = JSON.parse(body) as { email?: unknown };
    return typeof email === "string" ? email.trim() : "";
  } catch {
    return "";
  }
}

/** A cookie that came over HTTPS must not go back without it. */
function overHttps(response: Response, origin: string): Response {
  const cookies = response.headers.getSetCookie();
  if (!origin.startsWith("https:") || cookies.length === 0) return response;
  const headers = new Headers(response.headers);
  headers.delete("set-cookie");
  for (const cookie of cookies) headers.append("set-cookie", `${cookie}; Secure`);
  return new Response(response.body, { status: response.status, headers });
}

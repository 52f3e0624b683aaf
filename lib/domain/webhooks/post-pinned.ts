import type { LookupAddress } from "node:dns";
import http from "node:http";
import https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { hostOf, isPublicAddress } from "./public-address.ts";
import { type Resolve, resolver } from "./resolve-host.ts";

/** `body`: start of the answer's body. */
export type Answer = { status: number; body: string };

type Post = {
  headers: Record<string, string>;
  body: string;
  /** Ends the request. */
  signal: AbortSignal;
  allowPrivate: boolean;
  resolve?: Resolve;
};

const answerBytes = 1_024;

/** Error whose message a project's admin may read. */
export class PostError extends Error {
  override name = "PostError";
}

/**
 * Sends a POST without following redirects. Resolves the host's name once, checks each of its addresses, and connects to
 * exactly these. Otherwise a name could show a public address to the check, and a private one to the connection.
 *
 * @throws {PostError} if the host is private, or does not answer
 */
export async function postPinned(
  url: string,
  { allowPrivate, resolve = resolver({ allowLocal: allowPrivate }), ...post }: Post,
): Promise<Answer> {
  const target = new URL(url);
  const host = hostOf(target);
  const addresses = await addressesOf(host, resolve, post.signal);
  if (!allowPrivate && !addresses.every(({ address }) => isPublicAddress(address))) {
    throw new PostError("The address is private");
  }
  const response = await request(target, addresses, post);
  return { status: response.statusCode!, body: await readStart(response) };
}

async function addressesOf(host: string, resolve: Resolve, signal: AbortSignal): Promise<LookupAddress[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(postErrorOf(signal.reason));
  signal.addEventListener("abort", abort);
  try {
    const addresses = await Promise.race([resolve(host, signal), aborted.promise]);
    if (addresses.length > 0) return addresses;
  } catch (error) {
    throw postErrorOf(error);
  } finally {
    signal.removeEventListener("abort", abort);
  }
  throw new PostError("The name has no address");
}

function request(
  target: URL,
  addresses: readonly LookupAddress[],
  { headers, body, signal }: Pick<Post, "headers" | "body" | "signal">,
): Promise<http.IncomingMessage> {
  const lookup: LookupFunction = (_host, { all }, callback) => {
    if (all) callback(null, [...addresses]);
    else callback(null, addresses[0]!.address, addresses[0]!.family);
  };
  return new Promise((resolve, reject) => {
    const { request } = target.protocol === "https:" ? https : http;
    request(target, { method: "POST", agent: false, lookup, signal, headers }, resolve)
      .on("error", (error) => reject(postErrorOf(signal.aborted ? signal.reason : error)))
      .end(body);
  });
}

/** Reads the first kilobyte of a body, or what has arrived when the request is ended: the status alone decides. */
async function readStart(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes >= answerBytes) break;
    }
  } catch {
    // The connection ended early.
  }
  // PostgreSQL does not store NUL.
  return Buffer.concat(chunks).subarray(0, answerBytes).toString("utf8").replaceAll("\0", "");
}

function postErrorOf(error: unknown): PostError {
  if (error instanceof PostError) return error;
  const { name, code } = error as { name?: string; code?: unknown };
  if (name === "TimeoutError") return new PostError("No answer in time", { cause: error });
  const reason = typeof code === "string" ? code : "unknown";
  return new PostError(`The connection failed: ${reason}`, { cause: error });
}

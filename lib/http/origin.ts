/**
 * Scheme and host under which the caller reached the service. The scheme is what the server saw, or what a trusted proxy
 * said: the server in front drops the header otherwise.
 */
export function publicOrigin(request: Request): string {
  const forwarded = request.headers.get("x-forwarded-proto")?.split(",")[0]?.trim().toLowerCase();
  const scheme = forwarded === "https" ? "https" : "http";
  const host = request.headers.get("host") ?? new URL(request.url).host;
  return `${scheme}://${host}`;
}

/** Whether the page that sent the request is one of ours. No `Origin` is no proof of that. */
export function isSameOrigin(request: Request): boolean {
  const given = request.headers.get("origin");
  if (given === null || !URL.canParse(given)) return false;
  const own = publicOrigin(request);
  return URL.canParse(own) && new URL(given).origin === new URL(own).origin;
}

const readingMethods = new Set(["GET", "HEAD", "OPTIONS"]);

export const changesSomething = (request: Request) => !readingMethods.has(request.method);

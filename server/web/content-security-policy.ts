import type { BrowserRealtime } from "#lib/platform/config/browser-realtime";

type Options = {
  /** Fresh for every response. */
  nonce: string;
  /** Where the page's realtime connection goes, if anywhere. */
  realtime: BrowserRealtime | null;
  /** The development server evaluates code and has a socket of its own. */
  dev: boolean;
};

/**
 * Scripts run only with the page's nonce, or when such a script loads them. Styles may stand inline, because charts and
 * pop-ups place themselves by style attributes, which a nonce cannot cover.
 */
export function contentSecurityPolicy({ nonce, realtime, dev }: Options): string {
  const sockets = realtime ? [`${realtime.tls ? "wss" : "ws"}://${realtime.host}:${realtime.port}`] : [];
  const directives: Record<string, string[]> = {
    "default-src": ["'self'"],
    "script-src": ["'self'", `'nonce-${nonce}'`, "'strict-dynamic'", ...(dev ? ["'unsafe-eval'"] : [])],
    "style-src": ["'self'", "'unsafe-inline'"],
    "img-src": ["'self'", "blob:", "data:"],
    "font-src": ["'self'", "data:"],
    "connect-src": ["'self'", ...sockets, ...(dev ? ["ws:"] : [])],
    "worker-src": ["'self'", "blob:"],
    "object-src": ["'none'"],
    "base-uri": ["'self'"],
    "form-action": ["'self'"],
    "frame-ancestors": ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, sources]) => `${name} ${sources.join(" ")}`)
    .join("; ");
}

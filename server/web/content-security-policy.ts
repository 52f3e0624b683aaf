import type { BrowserRealtime } from "#lib/platform/config/browser-realtime";

type Options = {
  /** Random text, different for every response. */
  nonce: string;
  /** Address of the page's realtime connection; null without one. */
  realtime: BrowserRealtime | null;
  /** Whether to allow the development server's evaluated code and its socket. */
  dev: boolean;
};

/**
 * Returns the policy of a page. Scripts run only with the page's nonce, or if such a script loads them. Inline styles
 * are allowed, because charts and pop-ups set their position in style attributes, which a nonce cannot cover.
 */
export function contentSecurityPolicy({ nonce, realtime, dev }: Options): string {
  const sockets = realtime ? [`${realtime.tls ? "wss" : "ws"}://${realtime.host}:${realtime.port}`] : [];
  const directives: Record<string, string[]> = {
    "default-src": ["'self'"],
    "script-src": [
      "'self'",
      `'nonce-${nonce}'`,
      "'strict-dynamic'",
      "'wasm-unsafe-eval'",
      ...(dev ? ["'unsafe-eval'"] : []),
    ],
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

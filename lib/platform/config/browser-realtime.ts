import type { PusherSettings } from "./environment.ts";

/** What pusher-js needs to connect. */
export type BrowserRealtime = {
  key: string;
  host: string;
  port: number;
  tls: boolean;
  /** Stands before the protocol's own, where there is such a prefix. */
  path?: string;
};

const loopback = /^(localhost|127(\.\d+){3}|::1|\[::1\])$/i;

/**
 * Where a browser reaches the realtime service. A loopback address is the embedded server, which listens beside the web
 * server: browsers find it under the name by which they found the page, unless `REALTIME_PUBLIC_URL` says where.
 *
 * @param pageHost the page's `Host` header, with or without a port
 */
export function browserRealtime(pusher: PusherSettings, pageHost: string): BrowserRealtime {
  if (pusher.browser) return { key: pusher.key, ...pusher.browser };
  const host = pusher.host ?? `ws-${pusher.cluster ?? "mt1"}.pusher.com`;
  return {
    key: pusher.key,
    host: loopback.test(host) ? hostName(pageHost) : host,
    port: pusher.port ?? (pusher.useTls ? 443 : 80),
    tls: pusher.useTls,
  };
}

function hostName(host: string): string {
  const url = `http://${host}`;
  return URL.canParse(url) ? new URL(url).hostname : "localhost";
}

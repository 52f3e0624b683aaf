import type { PusherSettings } from "./environment.ts";

/** Connection settings for pusher-js. */
export type BrowserRealtime = {
  key: string;
  host: string;
  port: number;
  tls: boolean;
  /** Prefix of the protocol's path, if any. */
  path?: string;
};

const loopback = /^(localhost|127(\.\d+){3}|::1|\[::1\])$/i;

/**
 * Returns the address of the realtime service for browsers. A loopback address is the embedded server, which runs
 * beside the web server. Browsers reach it under the host name of the page, unless `REALTIME_PUBLIC_URL` is set.
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

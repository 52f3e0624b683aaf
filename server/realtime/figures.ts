import { Counter, Gauge, type Registry } from "prom-client";

/** Messages over the sockets so far; plain numbers, since one event may be thousands of messages. */
export type Traffic = { received: number; sent: number };

/**
 * The figures of a realtime server, each looked up when it is asked for.
 *
 * @param connections how many clients are connected now
 * @param channels how many channels somebody listens to now
 */
export function realtimeFigures(
  registry: Registry,
  { traffic, connections, channels }: { traffic: Traffic; connections(): number; channels(): number },
): void {
  const registers = [registry];
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(value());
      },
    });
  const counter = (name: string, help: string, value: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(value());
      },
    });
  gauge("realtime_connections", "Clients that are connected", connections);
  gauge("realtime_channels", "Channels that somebody listens to", channels);
  counter("realtime_messages_received_total", "Messages from clients", () => traffic.received);
  counter(
    "realtime_messages_sent_total",
    "Messages to clients, an event once for each who hears it",
    () => traffic.sent,
  );
}

import { Counter, Gauge, type Registry } from "prom-client";

/** Number of messages over the sockets so far. Plain numbers are fast: one event can be thousands of messages. */
export type Traffic = { received: number; sent: number };

/**
 * Registers the metrics of a realtime server. Their values are read at each collection.
 *
 * @param connections returns the number of connected clients
 * @param channels returns the number of channels with subscribers
 */
export function registerRealtimeMetrics(
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
  gauge("realtime_connections", "Connected clients", connections);
  gauge("realtime_channels", "Channels with subscribers", channels);
  counter("realtime_messages_received_total", "Messages from clients", () => traffic.received);
  counter(
    "realtime_messages_sent_total",
    "Messages to clients; an event counts once per subscriber",
    () => traffic.sent,
  );
}

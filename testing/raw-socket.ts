import { once } from "node:events";
import { WebSocket } from "ws";

export type Message = { event: string; channel?: string; data?: unknown };

/** Opens a client that exchanges raw protocol messages, including messages that the libraries never send. */
export async function openRawSocket(url: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(url, { headers });
  const unread: Message[] = [];
  let arrived = () => {};
  socket.on("message", (raw) => {
    unread.push(JSON.parse(String(raw)));
    arrived();
  });
  const read = async (): Promise<Message> => {
    while (unread.length === 0) {
      await new Promise<void>((resolve) => {
        arrived = resolve;
      });
    }
    return unread.shift()!;
  };
  const closed = once(socket, "close").then(([code]) => code as number);
  const greeting = await read();
  const { socket_id: socketId } = JSON.parse(String(greeting.data)) as { socket_id: string };
  return {
    greeting,
    socketId,
    /** Resolves to the close code of the server. */
    closed,
    /** Returns the next unread message, and waits for it if necessary. */
    read,
    say: (event: string, data?: unknown) => socket.send(JSON.stringify({ event, data })),
    close: () => socket.terminate(),
  };
}

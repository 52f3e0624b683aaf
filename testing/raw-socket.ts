import { once } from "node:events";
import { WebSocket } from "ws";

export type Message = { event: string; channel?: string; data?: unknown; user_id?: string };

/** A client that speaks the protocol word by word, for what the libraries never say. */
export async function openRawSocket(url: string) {
  const socket = new WebSocket(url);
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
    /** The code with which the server closes it. */
    closed,
    /** The next message that has not been read. */
    read,
    say: (event: string, data?: unknown, channel?: string) =>
      socket.send(
        JSON.stringify({ event, ...(data !== undefined && { data }), ...(channel && { channel }) }),
      ),
    close: () => socket.terminate(),
  };
}

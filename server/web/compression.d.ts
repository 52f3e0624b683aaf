// Its own types are Express'; it takes what Node.js has as well.
declare module "compression" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  export default function compression(options: {
    /** Of gzip, 1 to 9. */
    level: number;
    brotli: { params: Record<number, number> };
  }): (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
}

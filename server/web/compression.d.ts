// The published types require Express. The package also accepts requests and responses of Node.js.
declare module "compression" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  export default function compression(options: {
    /** Compression level of gzip, 1 to 9. */
    level: number;
    brotli: { params: Record<number, number> };
  }): (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
}

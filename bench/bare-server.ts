import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { InferenceSession, Tensor } from "onnxruntime-node";

// Serves predictions with as little code as possible, for comparison: no keys, no checks, no database. `http.ts` starts
// it with the path of the ONNX file. It sends its port to the parent process, and exits when the parent exits.

const session = await InferenceSession.create(readFileSync(process.argv[2]!), {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
});

const server = createServer(async (request, response) => {
  const { input } = (await json(request)) as { input: Record<string, number[]> };
  const columns = Object.values(input);
  const rowCount = columns[0]!.length;
  const matrix = new Float32Array(rowCount * columns.length);
  columns.forEach((values, feature) => {
    for (let row = 0; row < rowCount; row++) matrix[row * columns.length + feature] = values[row]!;
  });
  const { Y } = await session.run({ X: new Tensor("float32", matrix, [rowCount, columns.length]) }, ["Y"]);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ data: { predictions: Array.from(Y!.data as Float32Array) } }));
});

server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit());

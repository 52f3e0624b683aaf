import { expect, test } from "vitest";
import { FLOAT, graph, message, node, tensorInfo } from "#testing/onnx-models";
import { rejected, rejectionOf, runtimeError } from "./runtime-reason.ts";
import { openSession } from "./session.ts";

/** Y = X, with other versions. */
function stamped(irVersion: number, operatorSet: number): Uint8Array {
  const parts = {
    nodes: [node("Identity", ["X"], ["Y"])],
    inputs: [tensorInfo("X", FLOAT, ["N", 2])],
    outputs: [tensorInfo("Y", FLOAT, ["N", 2])],
  };
  const file = message().int(1, irVersion).message(7, graph(parts));
  return file.message(8, message().string(1, "").int(2, operatorSet)).finish();
}

test.each([
  ["an operator set", stamped(8, 99), /exported for operator set 99\. Operator sets up to \d+ are supported/],
  ["an IR version", stamped(99, 13), /has the IR version 99\. Versions up to \d+ are supported/],
])("%s that the runtime does not know is rejected with the latest supported one", async (_, file, reason) => {
  await expect(openSession(file)).rejects.toThrow(reason);
});

test("returns the runtime's message without its source locations", async () => {
  const file = message()
    .int(1, 8)
    .message(7, graph({ outputs: [tensorInfo("Y", FLOAT, ["N", 1])] }))
    .message(8, message().string(1, "").int(2, 13))
    .finish();
  await expect(openSession(file)).rejects.toThrow(
    "The model cannot be loaded: This is an invalid model. Graph output (Y) does not exist in the graph.",
  );
});

const unexpected: [string, unknown][] = [
  ["an error of JavaScript", new TypeError("Cannot read properties of undefined (reading 'dims')")],
  [
    "an error of the system",
    Object.assign(new Error("ENOENT: no such file, open '/srv/x'"), { code: "ENOENT" }),
  ],
  ["a value that is no error", "oops"],
];
test.each(unexpected)("replaces the text of %s by a sentence, and keeps it for the log", (_, cause) => {
  const error = runtimeError("cannot be run", cause);
  const message = "The model cannot be run: its runtime failed in an unexpected way. Export the model again.";
  expect(error).toMatchObject({ message, isReasonLogged: true, cause });
  // The same from another process.
  const sent = rejected(structuredClone(rejectionOf(error)));
  expect(sent).toMatchObject({ message, isReasonLogged: true });
  expect(String(sent.cause)).toContain(cause instanceof Error ? cause.message : "oops");
});

test("ends every reason of the runtime with a full stop", () => {
  const error = runtimeError("cannot be run", new Error("Non-zero status code returned"));
  expect(error).toMatchObject({
    message: "The model cannot be run: Non-zero status code returned.",
    isReasonLogged: false,
  });
  expect(rejectionOf(error)).toEqual({ reason: error.message });
});

import type { z } from "zod";
import type { CallOperation, Operation } from "./operations.ts";

export type Values = Record<string, unknown>;
export type ToolCall = { call: CallOperation; page: (path: string) => string; signal: AbortSignal };

export type Tool = {
  name: string;
  title: string;
  /** Addition to the operation's own description. */
  description: string;
  /** Operation that the tool calls first or mainly. It gives the description, the effect, and the arguments of these names. */
  operation: Operation;
  fields: readonly string[];
  /** Arguments that the operation does not have. */
  further?: Record<string, z.ZodType>;
  run(values: Values, tools: ToolCall): Promise<object>;
};

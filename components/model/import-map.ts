import { ColumnTypeSchema } from "#lib/contract/datasets";
import type { ImportModel } from "#lib/contract/import-model";

type InputMap = NonNullable<ImportModel["inputs"]>;

/**
 * The input map as it is typed, one feature a line in the model's order: `temperature`, or with its type
 * `weekday: category`, or with the name of its own input in the file `temp: number = input_3`.
 *
 * @returns null and a message for a line that cannot be read
 */
export function readInputMap(
  text: string,
): { inputs: InputMap; message: null } | { inputs: null; message: string } {
  const inputs: InputMap = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const [left = "", input] = line.split("=", 2).map((part) => part.trim());
    const at = left.lastIndexOf(":");
    const feature = (at < 0 ? left : left.slice(0, at)).trim();
    const type = at < 0 ? undefined : ColumnTypeSchema.safeParse(left.slice(at + 1).trim());
    if (feature === "") return { inputs: null, message: `Line ${index + 1} names no feature.` };
    if (type && !type.success) {
      return {
        inputs: null,
        message: `Line ${index + 1}: after the colon stands a type: ${ColumnTypeSchema.options.join(", ")}.`,
      };
    }
    inputs.push({ feature, ...(type && { type: type.data }), ...(input && { input }) });
  }
  return { inputs, message: null };
}

import { ColumnTypeSchema } from "#lib/contract/datasets";
import type { ImportModel } from "#lib/contract/import-model";

type InputMap = NonNullable<ImportModel["inputs"]>;

/**
 * Parses the input map, one feature per line in the model's order: `temperature`, with a type `weekday: category`, or
 * with a separate model input `temp: number = input_3`.
 *
 * @returns null and a message for an invalid line
 */
export function readInputMap(
  text: string,
): { inputs: InputMap; message: null } | { inputs: null; message: string } {
  const inputs: InputMap = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    // A model's input may have a name with an equals sign.
    const [left = "", ...rest] = line.split("=");
    const input = rest.join("=").trim();
    const at = left.lastIndexOf(":");
    const feature = (at < 0 ? left : left.slice(0, at)).trim();
    const type = at < 0 ? undefined : ColumnTypeSchema.safeParse(left.slice(at + 1).trim());
    if (feature === "")
      return {
        inputs: null,
        message: `Line ${index + 1} has no feature name. Write the feature first, such as "temperature: number".`,
      };
    if (type && !type.success) {
      return {
        inputs: null,
        message: `Line ${index + 1} has no valid type after the colon. Use one of ${ColumnTypeSchema.options.join(", ")}.`,
      };
    }
    inputs.push({ feature, ...(type && { type: type.data }), ...(input && { input }) });
  }
  return { inputs, message: null };
}

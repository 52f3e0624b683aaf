import type { OutputOption } from "#lib/contract/import-model";

/** Names an option with its class or column, its type and its shape. */
export function optionName({ output, outputColumn, label, elementType, shape }: OutputOption): string {
  const column = outputColumn === null ? "" : `, column ${outputColumn}`;
  const place = label === null ? `${output}${column}` : `Probability of class ${label} (${output}${column})`;
  return `${place}: ${elementType} [${shape.join(", ")}]`;
}

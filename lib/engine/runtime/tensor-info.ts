import type { InferenceSession } from "onnxruntime-node";

/** An input or output of a loaded model. */
export type TensorInfo = {
  name: string;
  /** The runtime's name: float32, float64, int64, int32, bool, string, …; null if not a tensor. */
  elementType: string | null;
  /** Sizes, or names of open sizes ("?" without a name). Also empty if nothing is declared. */
  shape: (number | string)[];
  /** Rows that a call must have if the model fixes them, otherwise null. */
  batch: number | null;
};

export function describe(metadata: InferenceSession.ValueMetadata): TensorInfo {
  if (!metadata.isTensor) return { name: metadata.name, elementType: null, shape: [], batch: null };
  const shape = metadata.shape.map((size) =>
    size === "" || (typeof size === "number" && size < 0) ? "?" : size,
  );
  const rows = shape[0];
  return {
    name: metadata.name,
    elementType: metadata.type,
    shape,
    batch: typeof rows === "number" && rows > 0 ? rows : null,
  };
}

/** Returns the sizes of a row of `width` values. The first open size takes what the declared sizes leave. */
export function rowSizes(info: TensorInfo, width: number): number[] {
  const sizes = info.shape.slice(1);
  const declared = sizes.reduce<number>(
    (product, size) => product * (typeof size === "number" ? size : 1),
    1,
  );
  const firstOpen = sizes.findIndex((size) => typeof size !== "number");
  return sizes.map((size, at) => (typeof size === "number" ? size : at === firstOpen ? width / declared : 1));
}

/** Returns the values per row of a tensor, or null if open. A vector [N] has one. */
export function rowWidth(info: TensorInfo): number | null {
  let width = 1;
  for (const size of info.shape.slice(1)) {
    if (typeof size !== "number") return null;
    width *= size;
  }
  return width;
}

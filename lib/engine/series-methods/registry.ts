import type { AlgorithmName } from "#lib/contract/algorithms";
import { arimaMethod } from "./arima.ts";
import { etsMethod } from "./ets.ts";
import type { SeriesMethod } from "./series-method.ts";
import { stlEtsMethod } from "./stl-ets.ts";
import { thetaMethod } from "./theta.ts";
import { tsbMethod } from "./tsb.ts";

/**
 * All series methods, simplest first; the types below follow from this list. The combination tries each of them. Texts list
 * them in the order of `lib/contract/algorithms.ts`.
 */
const methods = [etsMethod, thetaMethod, arimaMethod, stlEtsMethod, tsbMethod] as const;

/** Parameters of a method, with the state before its first observation. */
export type MethodParameters = Parameters<(typeof methods)[number]["start"]>[0];
export type MethodName = MethodParameters["method"];

type Registered = Omit<SeriesMethod<MethodParameters>, "name" | "fit" | "start" | "text"> & {
  name: MethodName & AlgorithmName;
  fit(values: Float64Array, seasons: readonly number[], like?: never): MethodParameters | null;
  start(parameters: never): ReturnType<SeriesMethod<MethodParameters>["start"]>;
  text(parameters: never): string;
};
export const registered: Registered[] = [...methods];

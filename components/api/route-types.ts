import type { z } from "zod";
import type { Method, RouteHandler } from "#lib/api/route-declaration";
import type { routes } from "../../app/api/v1/routes.ts";

// Types of requests and responses, from the declarations of the routes. For example, GET of the address
// `/projects/${string}/dataset` has the response type `Dataset`, because the declaration in
// `app/api/v1/projects/[projectId]/dataset/route.ts` has that schema. An address that no route has does not compile.

export type { Method };

type Routes = typeof routes;

/** `/api/v1/projects/{projectId}` → `/projects/${string}` */
type Template<Path extends string> = Path extends `/api/v1${infer Rest}` ? Filled<Rest> : never;
type Filled<Path extends string> = Path extends `${infer Before}{${string}}${infer After}`
  ? `${Before}${string}${Filled<After>}`
  : Path;
type WithoutQuery<Address extends string> = Address extends `${infer Path}?${string}` ? Path : Address;
type Same<A, B> = [A, B] extends [B, A] ? true : false;

/** Schemas of the route with this method at an address, which may end in a query. */
type SchemasOf<M extends Method, Address extends string> = Address extends string
  ? SchemasAt<M, WithoutQuery<Address>>
  : never;
type SchemasAt<M extends Method, Address extends string> = {
  [Path in keyof Routes]: Same<Address, Template<Path>> extends true
    ? Awaited<ReturnType<Routes[Path]>> extends { [method in M]: RouteHandler<infer B, infer R> }
      ? { body: B; response: R }
      : never
    : never;
}[keyof Routes];

/** Data of the response. Without a route, a type that nothing can use. */
export type ResponseOf<M extends Method, Address extends string> = [SchemasOf<M, Address>] extends [never]
  ? { noRoute: `${M} ${Address}` }
  : SchemasOf<M, Address>["response"] extends infer R extends z.ZodType
    ? z.output<R>
    : never;

/** Body that the route accepts: `{}` without one. */
export type BodyOf<M extends Method, Address extends string> = SchemasOf<
  M,
  Address
>["body"] extends infer B extends z.ZodType
  ? z.input<B>
  : Record<string, never>;

/** An entry of a list. */
export type ItemOf<Address extends string> =
  ResponseOf<"GET", Address> extends readonly (infer Item)[] ? Item : ResponseOf<"GET", Address>;

/** Further arguments of a call: `Rest`, or one that does not compile if no route has the method and address. */
export type Call<M extends Method, Address extends string, Rest extends unknown[]> = [
  SchemasOf<M, Address>,
] extends [never]
  ? [noRoute: never]
  : Rest;

import { defineRoute } from "#lib/http/define-route";
import { notFound } from "#lib/http/path-params";

/** Whatever no other route answers. */
const nothing = defineRoute({
  operationId: "notFound",
  tag: "Other",
  summary: "There is nothing here",
  auth: "public",
  run() {
    throw notFound("not_found");
  },
});

export {
  nothing as DELETE,
  nothing as GET,
  nothing as HEAD,
  nothing as OPTIONS,
  nothing as PATCH,
  nothing as POST,
  nothing as PUT,
};

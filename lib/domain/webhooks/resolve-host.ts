import { promises as dns, type LookupAddress } from "node:dns";

/** Two questions of 2 and 4 seconds, so that a lookup ends before the attempt of a delivery. */
const questions = { timeout: 2_000, tries: 2 };

/** @param signal ends the lookup */
export type Resolve = (host: string, signal: AbortSignal) => Promise<LookupAddress[]>;

/**
 * Returns a function that asks the name servers without a thread. `dns.lookup` would hold one of the two threads for lookups
 * until a silent server is given up: two such names would then delay all other lookups of the worker.
 *
 * @param allowLocal also finds names of the hosts file and of search domains, which only `dns.lookup` knows
 * @param servers default: those of this machine
 */
export function resolver({ allowLocal, servers }: { allowLocal: boolean; servers?: string[] }): Resolve {
  return async (host, signal) => {
    const resolver = new dns.Resolver(questions);
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel);
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    signal.removeEventListener("abort", cancel);
    const addresses = [
      ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (addresses.length > 0 || four.status === "fulfilled") return addresses;
    const isSilent = ["ECANCELLED", "ETIMEOUT"].includes(four.reason.code);
    if (isSilent || !allowLocal) throw four.reason;
    return dns.lookup(host, { all: true, order: "verbatim" });
  };
}

import { dataRoot } from "#testing/run-folder";
import { createWorld, shortSizes, type World } from "./hostile-world.ts";
import { type Neighbour, startNeighbour } from "./neighbour.ts";
import { cancelJobs, groupsOf, operationsOf, type Played, playOnce } from "./play.ts";
import { type System, startSystem } from "./system.ts";
import { Tenant } from "./tenant.ts";

export type ShortRun = {
  system: System;
  neighbour: Neighbour;
  world: World;
  played: Played[];
  stop(): Promise<void>;
};

/** Starts the service, and plays every operation of a hostile tenant once beside a bystander who runs jobs. */
export async function playShort(log: (text: string) => void): Promise<ShortRun> {
  const system = await startSystem(dataRoot);
  log("the service is ready");
  const stops = [() => system.stop()];
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end();
  };
  try {
    const hostile = await Tenant.signedIn(system.url);
    const neighbour = await startNeighbour(system.url, hostile, 50);
    stops.push(() => neighbour.stop());
    log("the bystander predicts");
    const operations = await operationsOf(system.url);
    const end = new AbortController();
    const jobs = neighbour.runJobs(end.signal);
    const world = await createWorld(hostile, shortSizes, log);
    const played = await Promise.all(groupsOf(operations).map((group) => playOnce(world, group, log)));
    end.abort();
    log(`the bystander ran ${await jobs} jobs`);
    await cancelJobs(world);
    return { system, neighbour, world, played: played.flat(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import { TcpProxy } from '../lab/tcp-proxy.ts';
import { APPLICATION, type Cluster, type Kind, postgresUrl } from './cluster.ts';
import { Node } from './node.ts';

const DATABASE = 'flightline';
/** Time that a monitor needs to notice. */
const DETECTION_MS = 1000;

/**
 * Starts two Postgres with synchronous replication. The drill itself is the monitor: it fences, promotes, and lets a
 * proxy lead to the new primary.
 */
export async function startPlainCluster(folder: string): Promise<Cluster> {
  const nodes = [await Node.create('one', folder), await Node.create('two', folder)] as const;
  let [primary, standby]: [Node, Node] = [nodes[0], nodes[1]];
  await primary.initialize();
  await primary.start();
  await primary.query(`create role ${APPLICATION} login createrole`);
  await primary.query(`create database ${DATABASE} owner ${APPLICATION}`);
  const proxy = await TcpProxy.start(primary.port);

  async function rejoin(): Promise<void> {
    await standby.follow(primary);
    await standby.start();
    await primary.waitForStandby();
  }

  async function failOver(kind: Kind): Promise<void> {
    await primary.takeAway(kind);
    await sleep(kind === 'switch-over' ? 0 : DETECTION_MS);
    await primary.fence();
    await standby.promote();
    [primary, standby] = [standby, primary];
    proxy.target = primary.port;
    proxy.resetOpen();
  }

  await rejoin();
  return {
    url: postgresUrl(proxy.port, APPLICATION, DATABASE),
    primaryUrl: async () => primary.url(APPLICATION, DATABASE),
    failOver,
    rejoin,
    stop: async () => {
      await proxy.stop();
      for (const node of nodes) await node.fence();
    },
  };
}

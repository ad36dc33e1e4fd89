import type { Cluster } from './cluster.ts';

export async function startManagedCluster(_folder: string): Promise<Cluster> {
  throw new Error('not yet');
}

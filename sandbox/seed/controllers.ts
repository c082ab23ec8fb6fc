import type { Clock } from '../../shared/clock/clock.ts'
import type { Transport } from '../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../shared/log/log.ts'
import type { ShootCluster, Shoots } from '../resource-manager/resource-manager.ts'
import { type Machines, openMachines } from './machines.ts'
import { createNodeObjects } from './node-objects.ts'
import { openResources, type Resources } from './resources.ts'
import type { SimulatedClouds } from './simulated-cloud.ts'
import { existing, type StoredChanges } from './stored-changes.ts'

export interface ControllersOptions {
  /** The API server of the seed. */
  readonly transport: Transport
  /** A controller starts with the first change of its objects. Default: all start at once. */
  readonly changes?: StoredChanges
  readonly clouds: SimulatedClouds
  readonly clock: Clock
  readonly log: Log
  /** Factor on the durations of machines and nodes. */
  readonly machineScale: number
  /** Factor on the waits of the resource manager. */
  readonly resourceScale: number
  /** Default: the shoots of this seed only, which end with it. */
  readonly shoots?: Shoots
  /** Returns the kubeconfig for functions. Default: that of the shoot. */
  readonly kubeconfigOf?: (shoot: ShootCluster) => Promise<string>
}

export interface Controllers {
  readonly machines: Machines
  readonly resources: Resources
  close(): Promise<void>
}

/** Imitates Gardener's controllers in a seed: machines with their Nodes, and the resource manager with its shoots. */
export const openControllers = ({
  machineScale,
  resourceScale,
  clouds,
  changes = existing,
  shoots,
  kubeconfigOf,
  ...given
}: ControllersOptions): Controllers => {
  const { clock, log } = given
  const nodeObjects = createNodeObjects({ clock, log, nodes: namespace => machines.nodes(namespace) })
  const machines = openMachines({
    ...given,
    changes,
    clouds,
    scale: machineScale,
    nodesChanged: nodeObjects.changed,
  })
  const resources = openResources({
    ...given,
    changes,
    scale: resourceScale,
    opened: nodeObjects.opened,
    ...(shoots && { shoots }),
    ...(kubeconfigOf && { kubeconfigOf }),
  })
  return {
    machines,
    resources,
    close: async () => {
      await nodeObjects.close()
      await resources.close()
      await machines.close()
    },
  }
}

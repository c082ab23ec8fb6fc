import type { Clock } from '../../shared/clock/clock.ts'
import { machineGroup } from '../../shared/contract/constants.ts'
import { createKubernetes, type Transport } from '../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../shared/log/log.ts'
import {
  type MachineController,
  memoryMachines,
  type ShootNode,
  startMachineController,
} from '../machine-controller/machine-controller.ts'
import type { SimulatedClouds } from './simulated-cloud.ts'
import type { StoredChanges } from './stored-changes.ts'

export interface MachinesOptions {
  readonly transport: Transport
  readonly changes: StoredChanges
  readonly clouds: SimulatedClouds
  readonly clock: Clock
  readonly log: Log
  readonly scale: number
  /** Called with the shoot's namespace after each change of one of its Nodes. */
  readonly nodesChanged?: (namespace: string) => void
}

export interface Machines {
  nodes(namespace: string): readonly ShootNode[]
  /** Starts the machine controller again, if it runs. */
  restart(): void
  close(): Promise<void>
}

/**
 * Starts the machine controller with the first object of its kinds. A seed without machines sends no request for them.
 */
export const openMachines = ({
  transport,
  changes,
  clouds,
  clock,
  log,
  scale,
  nodesChanged,
}: MachinesOptions): Machines => {
  let ended = new AbortController()
  let former: Promise<void> = Promise.resolve()
  let isClosed = false
  let controller: MachineController | undefined
  const start = (): void => {
    const drivers = Object.values(clouds).flatMap(cloud => cloud.machines?.(scale) ?? [])
    const kubernetes = createKubernetes({ transport, clock })
    controller = startMachineController({
      kubernetes,
      clouds: drivers,
      otherwise: memoryMachines,
      clock,
      log,
      scale,
      signal: ended.signal,
      ...(nodesChanged && { nodesChanged }),
    })
  }
  const end = (): Promise<void> => {
    ended.abort()
    return Promise.all([former, controller?.ended()]).then(() => {})
  }
  const unsubscribe = changes(resource => {
    if (controller === undefined && !isClosed && resource.endsWith(`.${machineGroup}`)) start()
  })
  return {
    nodes: namespace => controller?.nodes(namespace) ?? [],
    restart: () => {
      if (controller === undefined) return
      former = end()
      ended = new AbortController()
      start()
    },
    close: async () => {
      isClosed = true
      unsubscribe()
      await end()
    },
  }
}

import type { Clock } from '../../shared/clock/clock.ts'
import { formatSeconds } from '../../shared/clock/clock.ts'
import type { Machine, MachineClass, MachineDeployment, MachineSet } from '../../shared/contract/objects.ts'
import type { Kubernetes } from '../../shared/kubernetes/kubernetes.ts'
import type { MachineDurations } from './durations.ts'
import type { MachineCloud } from './machine-cloud.ts'
import type { Nodes } from './nodes/nodes.ts'
import type { ObjectStore } from './objects/object-store.ts'

export interface ControllerContext {
  readonly kubernetes: Kubernetes
  readonly clock: Clock
  readonly durations: MachineDurations
  readonly signal: AbortSignal
  readonly classes: ObjectStore<MachineClass>
  readonly deployments: ObjectStore<MachineDeployment>
  readonly sets: ObjectStore<MachineSet>
  readonly machines: ObjectStore<Machine>
  readonly nodes: Nodes
  /** Returns the driver of a class. Throws if no driver exists for its provider. */
  cloudOf(machineClass: MachineClass): MachineCloud
}

/** Returns the current time in the format of objects. */
export const timeOf = ({ clock }: Pick<ControllerContext, 'clock'>): string => formatSeconds(clock.now())

/** Finalizers of the machine-controller-manager (docs/contract/workers.md#finalizers-of-the-machine-controller). */
export const finalizers = {
  object: 'machine.sapcloud.io/machine-controller-manager',
  secret: 'machine.sapcloud.io/machine-controller',
} as const

export const hashLabel = 'machine-template-hash'
export const nodeLabel = 'node'

import type { Clock } from '../../shared/clock/clock.ts'
import { type MachineKindName, machineKinds } from '../../shared/contract/machine-kinds.ts'
import type { Machine, MachineClass, MachineSet } from '../../shared/contract/objects.ts'
import {
  createReflector,
  idOf,
  type Kubernetes,
  KubernetesError,
  type KubernetesObject,
  keyOf,
} from '../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../shared/log/log.ts'
import { createWorkQueue, type WorkQueue } from '../work-queue/work-queue.ts'
import { collectOrphans } from './classes/collect-orphans.ts'
import { reconcileClass } from './classes/reconcile-class.ts'
import { heldSecrets, reconcileSecret, secretsOf } from './classes/reconcile-secret.ts'
import { type ControllerContext, nodeLabel } from './context.ts'
import { reconcileDeployment } from './deployments/reconcile-deployment.ts'
import { machineDurations } from './durations.ts'
import type { MachineCloud } from './machine-cloud.ts'
import { reconcileMachine } from './machines/reconcile-machine.ts'
import { createKubelets } from './nodes/kubelets.ts'
import { nodeFaultOf } from './nodes/node-fault.ts'
import { createNodes, type ShootNode } from './nodes/nodes.ts'
import { createObjectStore } from './objects/object-store.ts'
import { createPauses } from './pauses.ts'
import { reconcileSet } from './sets/reconcile-set.ts'

export interface MachineControllerOptions {
  readonly kubernetes: Kubernetes
  /** The drivers. Classes of other providers are ignored. */
  readonly clouds: readonly MachineCloud[]
  /** Returns a driver for a provider that is not in `clouds`. Absent: such classes are ignored. */
  readonly otherwise?: (provider: string) => MachineCloud
  readonly clock: Clock
  readonly log: Log
  /** Factor on its durations and those of nodes: 1 is real time. Default: 0.01. */
  readonly scale?: number
  readonly signal: AbortSignal
  /** Called with the shoot's namespace after each change of one of its Nodes. */
  readonly nodesChanged?: (namespace: string) => void
}

export interface MachineController {
  nodes(namespace: string): readonly ShootNode[]
  /** Resolves when all its work has ended, after the signal has aborted. */
  ended(): Promise<void>
}

/** Wait before the retry of a conflicting write, and of an unexpected failure. */
const conflictMs = 10

/**
 * Starts a machine controller for all namespaces. Creates MachineSets for MachineDeployments, Machines for MachineSets,
 * and instances and Nodes for Machines, like Gardener's machine-controller-manager.
 */
export const startMachineController = (options: MachineControllerOptions): MachineController => {
  const { kubernetes, clock, log, signal, otherwise, scale = 0.01 } = options
  const clouds = [...options.clouds]
  const durations = machineDurations(scale)

  // Before all Machines are listed, existing ones would seem missing, and their instances orphans. So all queues wait
  // for the lists.
  const { promise: known, resolve: allKnown } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => allKnown())

  const queueOf = (
    what: string,
    reconcile: (context: ControllerContext, id: string) => Promise<number | undefined>,
  ): WorkQueue =>
    createWorkQueue({
      clock,
      signal,
      reconcile: async id => {
        await known
        return signal.aborted || pauses.isPaused(namespaceOf(id)) ? undefined : reconcile(context, id)
      },
      failed: (id, error) => {
        const isConflict = error instanceof KubernetesError && error.status === 409
        if (!isConflict) log.warn('cannot reconcile a machine object', { what, id, error })
        return isConflict ? conflictMs : durations.step
      },
    })
  const queues = {
    MachineClass: queueOf('MachineClass', reconcileClass),
    MachineDeployment: queueOf('MachineDeployment', reconcileDeployment),
    MachineSet: queueOf('MachineSet', reconcileSet),
    Machine: queueOf('Machine', reconcileMachine),
    Secret: queueOf('Secret', reconcileSecret),
  }

  const nodes = createNodes((namespace, name) => {
    for (const machine of machines.list(namespace)) {
      const { labels, deletionTimestamp } = machine.metadata
      if (labels?.[nodeLabel] === name && deletionTimestamp === undefined)
        queues.Machine.add(idOf(keyOf(machine)))
    }
  }, options.nodesChanged)
  const kubelets = createKubelets({ nodes, clock, durations, signal })

  const classes = createObjectStore(kubernetes, machineKinds.MachineClass, signal, (now, before) => {
    classChanged(now, before)
  })
  const deployments = createObjectStore(kubernetes, machineKinds.MachineDeployment, signal, now => {
    if (now) queues.MachineDeployment.add(idOf(keyOf(now)))
  })
  const sets = createObjectStore(kubernetes, machineKinds.MachineSet, signal, (now, before) => {
    const set = now ?? before
    if (now) queues.MachineSet.add(idOf(keyOf(now)))
    if (set) addOwners(queues.MachineDeployment, set)
  })
  const machines = createObjectStore(kubernetes, machineKinds.Machine, signal, (now, before) => {
    machineChanged(now, before)
  })
  const context: ControllerContext = {
    kubernetes,
    clock,
    durations,
    signal,
    classes,
    deployments,
    sets,
    machines,
    nodes,
    cloudOf: ({ provider }) => {
      const known = clouds.find(one => one.provider === provider)
      if (known !== undefined) return known
      const made = provider === undefined ? undefined : otherwise?.(provider)
      if (made === undefined) throw new Error(`${provider} has no machine driver`)
      clouds.push(made)
      return made
    },
  }

  const classChanged = (now: MachineClass | undefined, before: MachineClass | undefined): void => {
    const changed = now ?? before
    if (changed === undefined) return
    if (now) queues.MachineClass.add(idOf(keyOf(now)))
    else for (const secret of secretsOf(changed)) queues.Secret.add(secret)
    nextCollection()
    const { namespace = '', name } = changed.metadata
    for (const machine of machines.list(namespace))
      if (machine.spec?.class?.name === name && machine.metadata.deletionTimestamp === undefined)
        queues.Machine.add(idOf(keyOf(machine)))
  }

  const machineChanged = (now: Machine | undefined, before: Machine | undefined): void => {
    const machine = now ?? before
    if (machine === undefined) return
    const { namespace = '', uid = '' } = machine.metadata
    addOwners(queues.MachineSet, machine)
    queues.MachineClass.add(idOf({ namespace, name: machine.spec?.class?.name ?? '' }))
    if (now === undefined) {
      kubelets.forget(uid)
      return
    }
    followNode(now)
    // The steps of a machine have their own schedule. A change of its status must not shorten it.
    const id = idOf(keyOf(now))
    if (before?.metadata.generation === now.metadata.generation) return
    if (now.metadata.deletionTimestamp === undefined) queues.Machine.add(id)
    else if (before?.metadata.deletionTimestamp === undefined) queues.Machine.addAfter(id, durations.step)
  }

  const followNode = (machine: Machine): void => {
    const { namespace = '', name, labels } = machine.metadata
    const { providerID: providerId, nodeTemplate: template } = machine.spec ?? {}
    const nodeName = labels?.[nodeLabel]
    if (providerId === undefined || nodeName === undefined) return
    kubelets.follow(machine, {
      namespace,
      providerId,
      nodeName,
      template,
      power: () =>
        clouds.map(cloud => cloud.powerOf(providerId)).find(power => power !== undefined) ?? 'gone',
      fault: () => nodeFaultOf(context, machines.get({ namespace, name }) ?? machine),
    })
  }

  const addOwners = (queue: WorkQueue, object: MachineSet | Machine): void => {
    const { namespace = '', ownerReferences = [] } = object.metadata
    for (const { name } of ownerReferences) queue.add(idOf({ namespace, name }))
    if (ownerReferences.length > 0) return
    // Possible owners check whether they adopt restored objects.
    const candidates = object.kind === 'Machine' ? sets.list(namespace) : deployments.list(namespace)
    for (const candidate of candidates) queue.add(idOf(keyOf(candidate)))
  }

  const stores = Object.entries({
    MachineClass: classes,
    MachineDeployment: deployments,
    MachineSet: sets,
    Machine: machines,
  }) as readonly (readonly [MachineKindName, Pick<typeof machines, 'list' | 'take' | 'remove'>])[]
  const listAll = async (namespace: string): Promise<void> => {
    for (const [kind, store] of stores) {
      const { items } = await kubernetes.list(machineKinds[kind].resource, { namespace, signal })
      for (const object of items) store.take(object)
    }
  }
  const pauses = createPauses({
    list: async namespace => {
      while (!signal.aborted)
        try {
          return await listAll(namespace)
        } catch (error) {
          log.warn('cannot list machine objects', { namespace, error })
          await clock.sleep(durations.step, signal).catch(() => {})
        }
    },
    resumed: namespace => {
      for (const [name, store] of stores)
        for (const object of store.list(namespace)) queues[name].add(idOf(keyOf(object)))
      void heldSecrets(context, namespace)
        .then(secrets => secrets.forEach(queues.Secret.add))
        .catch(error => log.warn('cannot read the Secrets of classes', { namespace, error }))
    },
  })

  let cancelCollection: (() => void) | undefined
  signal.addEventListener('abort', () => cancelCollection?.())
  const nextCollection = (): void => {
    if (cancelCollection !== undefined || signal.aborted) return
    cancelCollection = clock.after(durations.orphanCheck, () => {
      cancelCollection = undefined
      if (classes.all().length === 0) return
      collecting = known
        .then(() => (signal.aborted ? undefined : collectOrphans(context, pauses.isPaused)))
        .catch(error => log.warn('cannot collect instances without a Machine', { error }))
        .finally(nextCollection)
    })
  }
  let collecting: Promise<void> = Promise.resolve()

  // The pauses have two reflectors.
  let unsynced = stores.length + 2
  const synced = () => {
    unsynced--
    if (unsynced === 0) allKnown()
  }
  const reflectors = [
    ...stores.map(([kind, store]) => {
      const upsert = (object: KubernetesObject) => store.take(object)
      const handler = { upsert, deleted: store.remove, synced }
      return createReflector({ kubernetes, resource: machineKinds[kind].resource, handler, clock, log })
    }),
    ...pauses.reflectors({ kubernetes, clock, log, synced }),
  ]
  const running = reflectors.map(reflector => reflector.run(signal))
  return {
    nodes: nodes.list,
    ended: async () => {
      await Promise.all(running)
      await Promise.all([collecting, ...Object.values(queues).map(queue => queue.idle())])
    },
  }
}

const namespaceOf = (id: string): string => id.slice(0, id.indexOf('/'))

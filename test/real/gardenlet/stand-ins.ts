import {
  type MachineController,
  memoryMachines,
  startMachineController,
} from '../../../sandbox/machine-controller/machine-controller.ts'
import {
  type Shoots,
  simulateAccessSecrets,
  startResourceManager,
  targetOf,
} from '../../../sandbox/resource-manager/resource-manager.ts'
import { createNodeObjects, type SimulatedClouds } from '../../../sandbox/seed/seed.ts'
import { type Clock, formatSeconds } from '../../../shared/clock/clock.ts'
import { deployments } from '../../../shared/kubernetes/core-resources.ts'
import {
  createReflector,
  type Kubernetes,
  type KubernetesObject,
  keyOf,
  type Transport,
} from '../../../shared/kubernetes/kubernetes.ts'
import type { Log } from '../../../shared/log/log.ts'

export interface SeedMembers {
  readonly kubernetes: Kubernetes
  readonly transport: Transport
  readonly clouds: SimulatedClouds
  readonly shoots: Shoots
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
}

/** The components of a seed that work on the objects of extensions. */
export interface Components {
  readonly machines: Pick<MachineController, 'nodes'>
  /** Resolves when all have ended, after the signal has aborted. */
  ended(): Promise<void>
}

const scale = 0.01

/**
 * Starts the stand-ins of the sandbox: machine controller, kubelets, resource manager, and the controller of
 * Deployments.
 */
export const startStandIns = ({ clouds, shoots, transport, ...members }: SeedMembers): Components => {
  const { kubernetes, clock } = members
  const nodeObjects = createNodeObjects({
    ...members,
    nodes: namespace => machines.nodes(namespace),
  })
  const machines = startMachineController({
    ...members,
    nodesChanged: nodeObjects.changed,
    clouds: Object.values(clouds).flatMap(cloud => cloud.machines?.(scale) ?? []),
    otherwise: memoryMachines,
    scale,
  })
  const seed = targetOf(transport, clock)
  const opened = new Set<string>()
  const resources = startResourceManager({
    ...members,
    scale,
    targetOf: async (resourceClass, namespace) => {
      if (resourceClass === 'seed') return seed
      if (resourceClass !== '') return undefined
      const shoot = await shoots.open(namespace)
      await simulateAccessSecrets(kubernetes, namespace, shoot)
      if (!opened.has(namespace)) nodeObjects.opened(namespace, shoot)
      opened.add(namespace)
      return targetOf(shoot.server.controllerTransport, clock)
    },
  })
  const deployments = reportDeployments(members)
  return {
    machines,
    ended: async () => {
      await nodeObjects.close()
      await Promise.all([machines.ended(), resources.ended(), deployments])
    },
  }
}

/** Reports every Deployment as rolled out, because a test cluster runs no pods. */
const reportDeployments = ({
  kubernetes,
  clock,
  log,
  signal,
}: Pick<SeedMembers, 'kubernetes' | 'clock' | 'log' | 'signal'>): Promise<void> => {
  const report = async (object: KubernetesObject) => {
    const { generation } = object.metadata
    if (Object(object.status).observedGeneration === generation) return
    const { replicas } = Object(object.spec)
    const since = formatSeconds(clock.now())
    const condition = { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: '' }
    const status = {
      observedGeneration: generation,
      ...{ replicas, readyReplicas: replicas, availableReplicas: replicas, updatedReplicas: replicas },
      conditions: [{ ...condition, lastTransitionTime: since, lastUpdateTime: since }],
    }
    await kubernetes.patch(deployments, keyOf(object), { status }, { subresource: 'status' })
  }
  const handler = {
    // A deleted Deployment needs no report.
    upsert: (object: KubernetesObject) => void report(object).catch(() => {}),
    deleted: () => {},
  }
  return createReflector({ kubernetes, resource: deployments, handler, clock, log }).run(signal)
}

import { definition } from '../../../functions/aws/worker/function.ts'
import { createAws, simulatedAws } from '../../../sandbox/providers/aws/simulator/aws.ts'
import { clusterKind } from '../../../shared/contract/kinds.ts'
import type { MachineDeployment } from '../../../shared/contract/objects.ts'
import { startBundleWorld } from '../bundle-world.ts'
import { makeAvailable } from './make-available.ts'
import { shootOf, workerOf } from './objects.ts'

export const bundle = 'dist/bundles/aws-worker/main.cjs'

interface Size {
  readonly pools: number
  readonly zones: number
}

/** Starts a seed, and one process of the function from its bundle, which has already handled a small Worker. */
export const startWorkerWorld = async () => {
  const deployments = new Map<string, Map<string, MachineDeployment>>()
  /** Selects the deployments that get their machines at once. */
  let isPrompt = (_: MachineDeployment): boolean => true
  const { machines: _, ...aws } = simulatedAws(createAws())
  const started = await startBundleWorld({
    fn: { ...definition, file: 'functions/aws/worker/function.ts' },
    bundle,
    clouds: { aws },
    patienceMs: 60_000,
    observe: ({ object }) => {
      if (object.kind !== 'MachineDeployment') return
      const { namespace = '', name } = object.metadata
      const own = deployments.get(namespace) ?? new Map()
      deployments.set(namespace, own)
      const isNew = !own.has(name)
      own.set(name, object as MachineDeployment)
      if (isNew && isPrompt(object as MachineDeployment))
        void makeAvailable(seed.kubernetes, object as MachineDeployment)
    },
  })
  const { seed } = started

  const world = {
    ...started,
    deploymentsOf: (namespace: string): readonly MachineDeployment[] => [
      ...(deployments.get(namespace)?.values() ?? []),
    ],
    /** Selects the deployments that get their machines at once. Default: all. */
    availableAtOnce: (which: (deployment: MachineDeployment) => boolean = () => true) => {
      isPrompt = which
    },
    makeAvailable: (deployment: MachineDeployment) => makeAvailable(seed.kubernetes, deployment),
    makeShoot: async (namespace: string, { pools }: Size) => {
      const resources = {
        Namespace: { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
        Secret: { group: '', version: 'v1', plural: 'secrets', namespaced: true },
        Cluster: clusterKind.resource,
      }
      for (const object of shootOf(namespace, { pools }))
        await seed.kubernetes.create(resources[object.kind as keyof typeof resources], object)
    },
  }
  try {
    await world.makeShoot('shoot--bench--first', { pools: 1, zones: 1 })
    await world.create(workerOf('shoot--bench--first', { pools: 1, zones: 1 }))
    return world
  } catch (error) {
    await world.close()
    throw error
  }
}

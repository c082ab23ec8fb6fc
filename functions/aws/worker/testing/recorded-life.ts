import { createSteppedSeed, isWriteRequest } from '../../../../sandbox/stepped-seed/stepped-seed.ts'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { clusterKind } from '../../../../shared/contract/kinds.ts'
import { machineKinds } from '../../../../shared/contract/machine-kinds.ts'
import type { Worker } from '../../../../shared/contract/objects.ts'
import { deployments } from '../../../../shared/kubernetes/core-resources.ts'
import type {
  GroupVersionResource,
  Kubernetes,
  KubernetesObject,
} from '../../../../shared/kubernetes/kubernetes.ts'
import { secrets } from '../../../../shared/lifecycle/lifecycle.ts'
import { workerFlow } from '../../../../shared/worker/worker.ts'
import type { RecordedStep, RecordedWorker, RecordedWrite } from '../../../../test/recorded/workers.ts'
import { awsMachines } from '../aws-machines.ts'
import { definition } from '../function.ts'
import { type FailedMachines, imitatedController } from './imitated-controller.ts'

/** The seed of a recording, with the function of this folder instead of the Go extension. */
export const recordedLife = async (
  { input }: Pick<RecordedWorker, 'input'>,
  options: Parameters<typeof workerFlow>[1] = {},
) => {
  const { cluster, worker } = input
  const { name, namespace = '', annotations } = worker.metadata
  let failing: FailedMachines = []
  const seed = createSteppedSeed({
    definition: { ...definition, create: () => workerFlow(awsMachines, options) as never },
    objects: [cluster, ...input.secrets, ...input.existing],
    clock: virtualClock(Date.parse('2026-01-10T12:00:00Z')),
    others: () => controller.run(failing),
  })
  const { kubernetes } = seed
  const controller = imitatedController(kubernetes, namespace, worker.spec.secretRef.name ?? '')
  const one = seed.object({ name, namespace })
  await one.create(worker, annotations?.['gardener.cloud/operation'])

  return {
    kubernetes,
    live: one.live,
    /** Replays a step of the recording with the function, until nothing is due or the Worker has an error. */
    play: async ({ action, patch, before = {} }: RecordedStep, failed: FailedMachines = []) => {
      failing = failed
      for (const [what, change] of Object.entries(before)) await prepare(kubernetes, namespace, what, change)
      if (action === 'delete') await one.delete()
      else if (action === 'migrate') await one.ask('migrate')
      else if (action !== 'create') await one.ask('reconcile', patch)
      const earlier = seed.requests.length
      await one.run({ until: object => Object(object?.status).lastOperation?.state === 'Error' })
      const writes = seed.requests.slice(earlier).filter(isWriteRequest)
      return {
        writes: writes.map(({ namespace: _, ...write }) => write) as readonly RecordedWrite[],
        worker: (await one.live()) as Worker | undefined,
        ...(await readAll(kubernetes, namespace)),
      }
    },
  }
}

const readAll = async (kubernetes: Kubernetes, namespace: string) => {
  const list = async (resource: GroupVersionResource, labelSelector?: string) =>
    (await kubernetes.list(resource, { namespace, ...(labelSelector && { labelSelector }) })).items
  const controller = await kubernetes.get(deployments, { namespace, name: 'machine-controller-manager' })
  return {
    machineClasses: await list(machineKinds.MachineClass.resource),
    machineDeployments: await list(machineKinds.MachineDeployment.resource),
    machineClassSecrets: await list(secrets, 'gardener.cloud/purpose=machineclass'),
    controllerReplicas: (controller?.spec as { readonly replicas?: number } | undefined)?.replicas,
  }
}

/** Applies changes that a recording made beside the Worker: `Secret osc-result-a`, by paths with dots. */
const prepare = async (
  kubernetes: Kubernetes,
  namespace: string,
  what: string,
  change: unknown,
): Promise<void> => {
  const patchAll = async (resource: GroupVersionResource, matches: (object: KubernetesObject) => boolean) => {
    const { items } = await kubernetes.list(resource, { namespace })
    for (const { metadata } of items.filter(matches))
      await kubernetes.patch(resource, { namespace, name: metadata.name }, nested(change as object))
  }
  const [kind, name] = what.split(' ')
  if (what === 'cluster')
    await kubernetes.patch(clusterKind.resource, { name: namespace }, { spec: nested(change as object) })
  else if (what === 'class Secret')
    await patchAll(secrets, ({ metadata }) => metadata.labels?.['gardener.cloud/purpose'] === 'machineclass')
  else if (kind === 'MachineClass') await patchAll(machineKinds.MachineClass.resource, () => true)
  else if (kind === 'Secret') await patchAll(secrets, ({ metadata }) => metadata.name === name)
  else if (kind === 'deployment') await patchAll(deployments, ({ metadata }) => metadata.name === name)
  // A text is an instruction for the imitation.
  else if (kind === 'MachineDeployment' && typeof change === 'object')
    await patchAll(machineKinds.MachineDeployment.resource, ({ metadata }) =>
      metadata.name.endsWith(`-${name}`),
    )
}

/** `{'a.b': 1}` → `{a: {b: 1}}`; only keys that consist of words are paths. */
const nested = (paths: object): object => {
  const root: Record<string, unknown> = {}
  for (const [path, value] of Object.entries(paths)) {
    const parts = path.split('.')
    const last = parts.pop() ?? ''
    let inner = root
    for (const part of parts) {
      inner[part] ??= {}
      inner = inner[part] as Record<string, unknown>
    }
    inner[last] = value
  }
  return root
}

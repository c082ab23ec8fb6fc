import { createApiServer } from '../../../../sandbox/kubernetes/kubernetes.ts'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { annotations } from '../../../../shared/contract/constants.ts'
import { allCrds, machineCrds } from '../../../../shared/contract/crds/crd-of.ts'
import { clusterKind, kinds } from '../../../../shared/contract/kinds.ts'
import { machineKinds } from '../../../../shared/contract/machine-kinds.ts'
import type { Worker } from '../../../../shared/contract/objects.ts'
import { eventId } from '../../../../shared/events/events.ts'
import {
  createKubernetes,
  type GroupVersionResource,
  type Kubernetes,
  type KubernetesObject,
  permittedKubernetes,
} from '../../../../shared/kubernetes/kubernetes.ts'
import { dueWork, lifecyclePermissions, runStep } from '../../../../shared/lifecycle/lifecycle.ts'
import { workerFlow, workerPermissions } from '../../../../shared/worker/worker.ts'
import type { RecordedStep, RecordedWorker, RecordedWrite } from '../../../../test/recorded/workers.ts'
import { awsMachines } from '../machines.ts'
import { type FailedMachines, imitatedController } from './imitated-controller.ts'

const core = (plural: string, group = '', namespaced = true): GroupVersionResource => ({
  group,
  version: 'v1',
  plural,
  namespaced,
})
const secrets = core('secrets')
const deployments = core('deployments', 'apps')
const crds = [...allCrds(), ...machineCrds()]
const mostSteps = 40

/** The seed of a recording, with the function of this folder instead of the Go extension. */
export const recordedLife = async (
  { input }: Pick<RecordedWorker, 'input'>,
  options: Parameters<typeof workerFlow>[1] = {},
) => {
  const { cluster, worker } = input
  const { name, namespace = '' } = worker.metadata
  const key = { name, namespace }
  const clock = virtualClock(Date.parse('2026-01-10T12:00:00Z'))
  const server = createApiServer({ clock, objects: crds })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  await kubernetes.create(core('namespaces', '', false), {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: namespace },
  })
  await kubernetes.create(clusterKind.resource, cluster)
  for (const secret of input.secrets) await kubernetes.create(secrets, secret)
  for (const object of input.existing) await kubernetes.create(deployments, object)
  const { status, ...made } = worker
  await kubernetes.create(kinds.Worker.resource, made)
  if (status !== undefined)
    await kubernetes.patch(kinds.Worker.resource, key, { status }, { subresource: 'status' })

  let writes: RecordedWrite[] = []
  const noted: Kubernetes = {
    ...kubernetes,
    create: (resource, object, ...rest) => {
      writes.push({
        verb: 'create',
        resource: resource.plural,
        name: object.metadata.name,
        body: { ...object },
      })
      return kubernetes.create(resource, object, ...rest)
    },
    patch: (resource, of, patch, options = {}) => {
      const { subresource } = options
      writes.push({
        verb: 'patch',
        resource: `${resource.plural}${subresource ? `/${subresource}` : ''}`,
        name: of.name,
        body: { ...patch },
      })
      return kubernetes.patch(resource, of, patch, options)
    },
    delete: (resource, of, ...rest) => {
      writes.push({ verb: 'delete', resource: resource.plural, name: of.name })
      return kubernetes.delete(resource, of, ...rest)
    },
  }
  const silent = () => {}
  const backend = { kind: 'Worker', types: ['aws'], actuator: workerFlow(awsMachines, options) } as const
  const port = permittedKubernetes(noted, [...lifecyclePermissions('Worker'), ...workerPermissions])
  const step = (id: string) =>
    runStep(
      {
        kubernetes: port,
        clock,
        log: { debug: silent, info: silent, warn: silent, error: silent },
        backend: backend as never,
      },
      { id, reason: 'due', ...key },
      new AbortController().signal,
    )
  const live = async () => (await kubernetes.get(kinds.Worker.resource, key)) as Worker | undefined
  /** The id of the event that a bridge sends now. */
  const nextEvent = async (): Promise<string> => {
    const object = await live()
    const due = object && dueWork('Worker', object, clock.now())
    return object === undefined || due?.kind !== 'emit'
      ? 'nothing is due'
      : eventId(object.metadata.uid ?? '', object.metadata.generation ?? 0, due.operation, due.cause)
  }
  const controller = imitatedController(kubernetes, namespace, worker.spec.secretRef.name ?? '')

  /** Runs steps until nothing is due, the Worker is gone, or it has an error. */
  const complete = async (failed: FailedMachines): Promise<void> => {
    for (let count = 0; count < mostSteps; count++) {
      await step(await nextEvent())
      const object = await live()
      if (object === undefined || object.status?.lastOperation?.state === 'Error') return
      if (dueWork('Worker', object, clock.now()).kind === 'none') return
      await controller.run(failed)
      await clock.advance(10_000)
    }
    throw new Error(
      `not done after ${mostSteps} steps: ${(await live())?.status?.lastOperation?.description}`,
    )
  }

  const ask = (operation: string, patch: object = {}) =>
    kubernetes.patch(kinds.Worker.resource, key, {
      ...patch,
      metadata: {
        annotations: {
          [annotations.operation]: operation,
          [annotations.timestamp]: new Date(clock.now()).toISOString(),
        },
      },
    })

  return {
    kubernetes,
    live,
    /** Replays a step of the recording with the function. */
    play: async ({ action, patch, before = {} }: RecordedStep, failed: FailedMachines = []) => {
      await clock.advance(5_000)
      for (const [what, change] of Object.entries(before)) await prepare(kubernetes, namespace, what, change)
      if (action === 'delete') {
        await kubernetes.patch(kinds.Worker.resource, key, {
          metadata: { annotations: { [annotations.deletionConfirmation]: 'true' } },
        })
        await kubernetes.delete(kinds.Worker.resource, key)
      } else if (action === 'migrate') await ask('migrate')
      else if (action !== 'create') await ask('reconcile', patch)
      // A text means that the machines have a new state.
      if (Object.values(before).some(change => typeof change === 'string')) await controller.run(failed)
      writes = []
      await complete(failed)
      return {
        writes: writes as readonly RecordedWrite[],
        worker: await live(),
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

import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import { virtualClock } from '../../clock/clock.ts'
import { annotations } from '../../contract/constants.ts'
import { allCrds, machineCrds } from '../../contract/crds/crd-of.ts'
import { clusterKind, kinds } from '../../contract/kinds.ts'
import { type MachineKindName, type MachineObjectOf, machineKinds } from '../../contract/machine-kinds.ts'
import type { Cluster, Worker, WorkerPool } from '../../contract/objects.ts'
import { eventId } from '../../events/events.ts'
import {
  createKubernetes,
  type Kubernetes,
  type KubernetesObject,
  permittedKubernetes,
} from '../../kubernetes/kubernetes.ts'
import { dueWork, lifecyclePermissions, runStep } from '../../lifecycle/lifecycle.ts'
import type { MachineProvider } from '../provider.ts'
import { type ReadShootState, workerFlow, workerPermissions } from '../worker.ts'
import { machineController } from './machine-controller.ts'
import { testNamespace } from './machine-objects.ts'
import { tinyProvider } from './tiny-provider.ts'
import { workerOf } from './worker-of.ts'

const core = (plural: string, group = '', namespaced = true) => ({ group, version: 'v1', plural, namespaced })
const secrets = core('secrets')
const mcm = { name: 'machine-controller-manager', namespace: testNamespace }

const crds = [...allCrds(), ...machineCrds()]

export interface SeedOptions {
  readonly pools?: readonly Partial<WorkerPool>[]
  /** Replaces fields of a default spec. */
  readonly spec?: Partial<Worker['spec']>
  readonly shoot?: Cluster['spec']['shoot']
  readonly cloudProfile?: Cluster['spec']['cloudProfile']
  readonly status?: Worker['status'] | undefined
  readonly provider?: MachineProvider
  readonly readShootState?: ReadShootState
  /** gardenlet's request. Default: reconcile. */
  readonly operation?: 'reconcile' | 'restore'
  /** Replicas of the machine controller's Deployment. Null: no Deployment. */
  readonly controllerReplicas?: number | null
  /** Hooks that end a call without a response, by throwing before or after it takes effect. */
  readonly interfere?: {
    readonly before?: (call: string, name: string) => void | Promise<void>
    readonly after?: (call: string) => void
  }
}

/** A seed with a Worker of the tiny provider, as gardenlet creates it. Steps run on it when events arrive. */
export const newSeed = async ({
  pools,
  spec,
  shoot = {},
  cloudProfile = {},
  status,
  provider = tinyProvider,
  controllerReplicas = 1,
  readShootState,
  operation = 'reconcile',
}: SeedOptions = {}) => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00.250Z'))
  const server = createApiServer({ clock, objects: crds })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  const usual = workerOf({ ...(pools && { pools }) })
  const worker = { ...usual, spec: { ...usual.spec, ...spec } }
  const key = { name: worker.metadata.name, namespace: testNamespace }

  await kubernetes.create(core('namespaces', '', false), {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: testNamespace },
  })
  await kubernetes.create(clusterKind.resource, {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Cluster',
    metadata: { name: testNamespace },
    spec: {
      cloudProfile,
      seed: {},
      shoot: { ...shoot, status: { technicalID: testNamespace, ...shoot.status } },
    },
  })
  const makeSecret = (name: string, data: Readonly<Record<string, string>>) =>
    kubernetes.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: testNamespace },
      data,
    })
  await makeSecret('cloudprovider', { key: btoa('planted-secret-value') })
  await makeSecret('u', { k: btoa('#!/bin/bash') })
  if (controllerReplicas !== null) {
    await kubernetes.create(core('deployments', 'apps'), {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: mcm,
      spec: { replicas: controllerReplicas, selector: {}, template: {} },
    })
  }
  const { uid: _, generation: __, ...metadata } = worker.metadata
  await kubernetes.create(kinds.Worker.resource, {
    ...worker,
    metadata: { ...metadata, annotations: { [annotations.operation]: operation } },
  })
  if (status) await kubernetes.patch(kinds.Worker.resource, key, { status }, { subresource: 'status' })

  const pods = core('pods')
  const requests: string[] = []
  const bodies: { readonly call: string; readonly body: unknown }[] = []
  let interfere: NonNullable<SeedOptions['interfere']> = {}
  const called = async <T>(
    call: string,
    work: () => Promise<T>,
    body?: unknown,
    { name = '' }: { readonly name?: string } = {},
  ): Promise<T> => {
    await interfere.before?.(call, name)
    requests.push(call)
    if (body !== undefined) bodies.push({ call, body })
    const answer = await work()
    interfere.after?.(call)
    return answer
  }
  const recorded: Kubernetes = {
    ...kubernetes,
    get: (resource, of, ...rest) =>
      called(`get ${resource.plural}`, () => kubernetes.get(resource, of, ...rest)),
    list: (resource, ...rest) => called(`list ${resource.plural}`, () => kubernetes.list(resource, ...rest)),
    create: (resource, object, ...rest) =>
      called(
        `create ${resource.plural}`,
        () => kubernetes.create(resource, object, ...rest),
        object,
        object.metadata,
      ),
    patch: (resource, of, patch, options = {}) =>
      called(
        `patch ${resource.plural}${options.subresource ? `/${options.subresource}` : ''}`,
        () => kubernetes.patch(resource, of, patch, options),
        patch,
        of,
      ),
    apply: (resource, object, ...rest) =>
      called(
        `apply ${resource.plural}`,
        () => kubernetes.apply(resource, object, ...rest),
        object,
        object.metadata,
      ),
    delete: (resource, of, ...rest) =>
      called(`delete ${resource.plural}`, () => kubernetes.delete(resource, of, ...rest), of),
  }
  const lines: { readonly message: string }[] = []
  const write = (message: string, fields?: object) => void lines.push({ message, ...fields })
  const backend = {
    kind: 'Worker',
    types: [worker.spec.type],
    actuator: workerFlow(provider, readShootState ? { readShootState } : {}),
  } as const
  const port = permittedKubernetes(recorded, [...lifecyclePermissions('Worker'), ...workerPermissions])
  /** Returns the id of the bridge's event for the due work. */
  const dueId = async (): Promise<string> => {
    const object = await kubernetes.get(kinds.Worker.resource, key)
    const due = object && dueWork('Worker', object, clock.now())
    return object === undefined || due === undefined || due.kind === 'none'
      ? 'nothing'
      : eventId(object.metadata.uid ?? '', object.metadata.generation ?? 0, due.operation, due.cause)
  }
  const log = { debug: write, info: write, warn: write, error: write }
  const step = async () =>
    runStep(
      { kubernetes: port, clock, log, backend: backend as never },
      { id: await dueId(), reason: 'due', ...key },
      new AbortController().signal,
    )
  const live = async (): Promise<Worker> => {
    const object = await kubernetes.get(kinds.Worker.resource, key)
    if (object === undefined) throw new Error('the Worker is gone')
    return object as Worker
  }
  const controller = machineController(kubernetes)
  return {
    clock,
    kubernetes,
    controller,
    requests,
    bodies,
    lines,
    step,
    live,
    isGone: async () => (await kubernetes.get(kinds.Worker.resource, key)) === undefined,
    /** Sets how later calls are interfered with. */
    interfereWith: (next: NonNullable<SeedOptions['interfere']>) => {
      interfere = next
    },
    /** Runs steps, with the machine controller between them, until nothing is due. Returns the statuses in between. */
    settle: async ({
      controls = true,
      until = () => false,
    }: {
      readonly controls?: boolean
      readonly until?: () => boolean
    } = {}) => {
      const waits: string[] = []
      for (let count = 0; count < 60; count++) {
        await step()
        if (until()) return waits
        const object = await kubernetes.get(kinds.Worker.resource, key)
        if (object === undefined) return waits
        const due = dueWork('Worker', object, clock.now())
        if (due.kind === 'none') {
          if (controls) await controller.run()
          return waits
        }
        waits.push(String((object as Worker).status?.lastOperation?.description))
        if (controls) await controller.run()
        await clock.advance(10_000)
      }
      throw new Error(`not done after 60 steps: ${waits.at(-1)}`)
    },
    /** Requests a reconcile like gardenlet, optionally with another spec. */
    reconcile: async (next?: readonly Partial<WorkerPool>[]) => {
      await clock.advance(2_000)
      await kubernetes.patch(kinds.Worker.resource, key, {
        metadata: {
          annotations: {
            [annotations.operation]: 'reconcile',
            [annotations.timestamp]: new Date(clock.now()).toISOString(),
          },
        },
        ...(next && { spec: { pools: workerOf({ pools: next }).spec.pools } }),
      })
    },
    ask: (operation: string) =>
      kubernetes.patch(kinds.Worker.resource, key, {
        metadata: { annotations: { [annotations.operation]: operation } },
      }),
    changeShoot: (fields: object) =>
      kubernetes.patch(clusterKind.resource, { name: testNamespace }, { spec: { shoot: fields } }),
    /** Deletes the object as gardenlet does. */
    remove: async () => {
      const confirmed = { 'confirmation.gardener.cloud/deletion': 'true' }
      await kubernetes.patch(kinds.Worker.resource, key, { metadata: { annotations: confirmed } })
      await kubernetes.delete(kinds.Worker.resource, key)
    },
    machineObjects: async <K extends MachineKindName>(kind: K) =>
      (await kubernetes.list(machineKinds[kind].resource, { namespace: testNamespace }))
        .items as unknown as readonly MachineObjectOf<K>[],
    classSecrets: async (): Promise<readonly KubernetesObject[]> =>
      (
        await kubernetes.list(secrets, {
          namespace: testNamespace,
          labelSelector: 'gardener.cloud/purpose=machineclass',
        })
      ).items,
    makeSecret,
    make: (kind: MachineKindName, name: string, fields: object = {}) =>
      kubernetes.create(machineKinds[kind].resource, {
        apiVersion: 'machine.sapcloud.io/v1alpha1',
        kind,
        ...fields,
        metadata: { namespace: testNamespace, ...(fields as Partial<KubernetesObject>).metadata, name },
      }),
    change: (kind: MachineKindName, name: string, patch: object, subresource?: 'status') =>
      kubernetes.patch(
        machineKinds[kind].resource,
        { name, namespace: testNamespace },
        patch,
        subresource ? { subresource } : {},
      ),
    deploymentOf: async (name: string) => {
      const found = await kubernetes.get(machineKinds.MachineDeployment.resource, {
        name,
        namespace: testNamespace,
      })
      if (found === undefined) throw new Error(`there is no MachineDeployment ${name}`)
      return found as MachineObjectOf<'MachineDeployment'>
    },
    makePod: (name: string) =>
      kubernetes.create(pods, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, namespace: testNamespace, labels: { role: 'machine-controller-manager' } },
      }),
    pods: async () =>
      (await kubernetes.list(pods, { namespace: testNamespace })).items.map(({ metadata }) => metadata.name),
    controllerReplicas: async () =>
      (await kubernetes.get(core('deployments', 'apps'), mcm))?.spec as
        | { readonly replicas?: number }
        | undefined,
  }
}
export type WorkerSeed = Awaited<ReturnType<typeof newSeed>>

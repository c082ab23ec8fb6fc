import {
  createSteppedSeed,
  type RequestHooks,
  shootObjects,
} from '../../../sandbox/stepped-seed/stepped-seed.ts'
import { virtualClock } from '../../clock/clock.ts'
import { clusterKind } from '../../contract/kinds.ts'
import { type MachineKindName, type MachineObjectOf, machineKinds } from '../../contract/machine-kinds.ts'
import type { Cluster, Worker, WorkerPool } from '../../contract/objects.ts'
import { deployments, pods } from '../../kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { secrets } from '../../lifecycle/lifecycle.ts'
import { defineFunction } from '../../runtime/define-function.ts'
import type { MachineProvider } from '../provider.ts'
import { type ReadShootState, workerFlow, workerPermissions } from '../worker.ts'
import { machineController } from './machine-controller.ts'
import { testNamespace } from './machine-objects.ts'
import { tinyProvider } from './tiny-provider.ts'
import { workerOf } from './worker-of.ts'

const mcm = { name: 'machine-controller-manager', namespace: testNamespace }

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
  /** A MachineDeployment that is older than the Worker, by name. */
  readonly olderDeployment?: string
}

/** A seed with a Worker of the tiny provider, as gardenlet creates it. */
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
  olderDeployment,
}: SeedOptions = {}) => {
  const usual = workerOf({ ...(pools && { pools }) })
  const worker = { ...usual, spec: { ...usual.spec, ...spec } }
  const key = { name: worker.metadata.name, namespace: testNamespace }
  const deployment: KubernetesObject = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: mcm,
    spec: { replicas: controllerReplicas, selector: {}, template: {} },
  }
  let controls = true
  const seed = createSteppedSeed({
    definition: defineFunction({
      name: 'tiny-worker',
      kind: 'Worker',
      type: worker.spec.type,
      permissions: workerPermissions,
      create: () => workerFlow(provider, readShootState ? { readShootState } : {}),
    }),
    objects: [
      ...shootObjects({
        namespace: testNamespace,
        cloudProfile,
        shoot: { ...shoot, status: { technicalID: testNamespace, ...shoot.status } },
        secrets: { cloudprovider: { key: 'planted-secret-value' }, u: { k: '#!/bin/bash' } },
      }),
      ...(controllerReplicas === null ? [] : [deployment]),
    ],
    clock: virtualClock(Date.parse('2026-11-21T12:00:00.250Z')),
    others: async () => controls && controller.run(),
  })
  const { kubernetes, clock } = seed
  const controller = machineController(kubernetes)
  const one = seed.object(key)
  const { uid: _, generation: __, ...metadata } = worker.metadata
  const make = (kind: MachineKindName, name: string, fields: object = {}) =>
    kubernetes.create(machineKinds[kind].resource, {
      apiVersion: 'machine.sapcloud.io/v1alpha1',
      kind,
      ...fields,
      metadata: { namespace: testNamespace, ...(fields as Partial<KubernetesObject>).metadata, name },
    })
  if (olderDeployment !== undefined) {
    await make('MachineDeployment', olderDeployment, { spec: { replicas: 3, selector: {}, template: {} } })
    await clock.advance(2_000)
  }
  await one.create({ ...worker, metadata, ...(status && { status }) }, operation)

  const requests: string[] = []
  /** Sets hooks around later requests. */
  const interfereWith = ({ before, ...hooks }: RequestHooks) =>
    seed.interfereWith({
      ...hooks,
      before: async request => {
        await before?.(request)
        requests.push(`${request.verb} ${request.resource}`)
      },
    })
  interfereWith({})
  const live = async (): Promise<Worker> => {
    const object = await one.live()
    if (object === undefined) throw new Error('the Worker is gone')
    return object as Worker
  }
  return {
    clock,
    kubernetes,
    controller,
    requests,
    /** The requests with their objects and patches. */
    sent: seed.requests,
    interfereWith,
    dieAt: seed.dieAt,
    hasDied: seed.hasDied,
    step: one.step,
    live,
    isGone: async () => (await one.live()) === undefined,
    /** Runs steps, with the machine controller between them, until nothing is due. Returns the statuses in between. */
    converge: async (options: { readonly controls?: boolean; readonly until?: () => boolean } = {}) => {
      controls = options.controls ?? true
      return one.run({ ...(options.until && { until: options.until }) })
    },
    /** Requests a reconcile like gardenlet, optionally with another spec. */
    reconcile: (next?: readonly Partial<WorkerPool>[]) =>
      one.ask('reconcile', next && { spec: { pools: workerOf({ pools: next }).spec.pools } }),
    ask: one.ask,
    changeShoot: (fields: object) =>
      kubernetes.patch(clusterKind.resource, { name: testNamespace }, { spec: { shoot: fields } }),
    /** Deletes the object as gardenlet does. */
    remove: one.delete,
    makeSecret: (name: string, data: Readonly<Record<string, string>>) =>
      kubernetes.create(secrets, {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name, namespace: testNamespace },
        data,
      }),
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
    make,
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
      (await kubernetes.get(deployments, mcm))?.spec as { readonly replicas?: number } | undefined,
  }
}
export type WorkerSeed = Awaited<ReturnType<typeof newSeed>>

import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import { virtualClock } from '../../clock/clock.ts'
import { annotations } from '../../contract/constants.ts'
import { allCrds, resourceCrds } from '../../contract/crds/crd-of.ts'
import { clusterKind, kinds } from '../../contract/kinds.ts'
import type { ControlPlane, ManagedResource } from '../../contract/objects.ts'
import { managedResourceKind } from '../../contract/resource-kinds.ts'
import { eventId } from '../../events/events.ts'
import {
  createKubernetes,
  type Kubernetes,
  type KubernetesObject,
  permittedKubernetes,
} from '../../kubernetes/kubernetes.ts'
import { dueWork, lifecyclePermissions, runStep } from '../../lifecycle/lifecycle.ts'
import { readManifests } from '../../resources/resources.ts'
import { imitatedResourceManager } from '../../resources/testing/resource-manager.ts'
import { type ControlPlaneFlowOptions, controlPlaneFlow, controlPlanePermissions } from '../control-plane.ts'
import { deployments, secrets } from '../core-resources.ts'
import type { ControlPlaneProvider } from '../provider.ts'
import { shortKeys } from './short-keys.ts'
import { tinyProvider } from './tiny-provider.ts'

const { resource } = kinds.ControlPlane
const managedResources = managedResourceKind.resource
/** Created once: they take longer than a life of a ControlPlane. */
const definitions = [...allCrds(), ...resourceCrds()]

export interface SeedOptions {
  readonly namespace?: string
  readonly spec?: Partial<ControlPlane['spec']>
  readonly annotations?: Readonly<Record<string, string>>
  readonly shoot?: object
  readonly cloudProfile?: object
  readonly provider?: ControlPlaneProvider
  readonly openShoot?: ControlPlaneFlowOptions['openShoot']
  /** gardenlet's request. Default: reconcile. */
  readonly operation?: 'reconcile' | 'restore'
  /** Secret data in plain text. */
  readonly credentials?: Readonly<Record<string, string>>
  readonly cloudproviderLabels?: Readonly<Record<string, string>>
  /** True if the resource manager responds to each write at once. Default: true. */
  readonly instant?: boolean
}

/** Hooks that end a call without a response, by throwing before or after it takes effect. */
export interface Interference {
  readonly before?: (call: string) => void | Promise<void>
  readonly after?: (call: string) => void | Promise<void>
}

/** A seed with a ControlPlane as gardenlet creates it. Events run steps on it. */
export const newSeed = async ({
  namespace = 'shoot--p--x',
  spec,
  annotations: extra = {},
  shoot = {},
  cloudProfile = {},
  provider = tinyProvider(),
  openShoot,
  operation = 'reconcile',
  credentials = { key: 'planted-secret-value' },
  cloudproviderLabels = {},
  instant = true,
}: SeedOptions = {}) => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00.250Z'))
  const server = createApiServer({ clock, objects: definitions })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  const key = { name: 'control-plane', namespace }
  await kubernetes.create(
    { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
  )
  await kubernetes.create(clusterKind.resource, {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Cluster',
    metadata: { name: namespace },
    spec: { cloudProfile, seed: {}, shoot },
  })
  const makeSecret = (name: string, fields: object) =>
    kubernetes.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      ...fields,
      metadata: { ...Object(fields).metadata, name, namespace },
    })
  const encoded = Object.fromEntries(Object.entries(credentials).map(([name, value]) => [name, btoa(value)]))
  await makeSecret('cloudprovider', { data: encoded, metadata: { labels: cloudproviderLabels } })
  await kubernetes.create(resource, {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'ControlPlane',
    metadata: { ...key, annotations: { ...extra, [annotations.operation]: operation } },
    spec: { type: 'tiny', region: 'r1', secretRef: { name: 'cloudprovider', namespace }, ...spec },
  })

  const resourceManager = imitatedResourceManager(kubernetes, namespace)
  const requests: string[] = []
  let interfere: Interference = {}
  const called = async <T>(verb: string, what: string, work: () => Promise<T>): Promise<T> => {
    const call = `${verb} ${what}`
    await interfere.before?.(call)
    requests.push(call)
    const answer = await work()
    if (instant && verb !== 'get' && verb !== 'list' && what.startsWith('managedresources'))
      await resourceManager.work()
    await interfere.after?.(call)
    return answer
  }
  const recorded: Kubernetes = {
    ...kubernetes,
    get: (of, object, ...rest) =>
      called('get', `${of.plural} ${object.name}`, () => kubernetes.get(of, object, ...rest)),
    list: (of, ...rest) => called('list', of.plural, () => kubernetes.list(of, ...rest)),
    create: (of, object, ...rest) =>
      called('create', `${of.plural} ${object.metadata.name}`, () => kubernetes.create(of, object, ...rest)),
    patch: (of, object, patch, options = {}) =>
      called(
        'patch',
        `${of.plural}${options.subresource ? `/${options.subresource}` : ''} ${object.name}`,
        () => kubernetes.patch(of, object, patch, options),
      ),
    apply: (of, object, ...rest) =>
      called('apply', `${of.plural} ${object.metadata.name}`, () => kubernetes.apply(of, object, ...rest)),
    delete: (of, object, ...rest) =>
      called('delete', `${of.plural} ${object.name}`, () => kubernetes.delete(of, object, ...rest)),
  }
  const lines: { readonly message: string }[] = []
  const write = (message: string, fields?: object) => void lines.push({ message, ...fields })
  const actuator = controlPlaneFlow(provider, {
    createKeyPair: shortKeys(),
    openShoot: openShoot ?? (() => Promise.reject(new Error('nobody said how'))),
  })
  const backend = { kind: 'ControlPlane', types: [spec?.type ?? 'tiny'], actuator } as const
  const port = permittedKubernetes(recorded, [
    ...lifecyclePermissions('ControlPlane'),
    ...controlPlanePermissions,
  ])
  const due = async () => {
    const object = await kubernetes.get(resource, key)
    return object && dueWork('ControlPlane', object, clock.now())
  }
  /** Returns the id of the bridge's event for the due work. */
  const dueId = async (): Promise<string> => {
    const object = await kubernetes.get(resource, key)
    const work = await due()
    return object === undefined || work === undefined || work.kind === 'none'
      ? 'nothing'
      : eventId(object.metadata.uid ?? '', object.metadata.generation ?? 0, work.operation, work.cause)
  }
  const step = async () =>
    runStep(
      {
        kubernetes: port,
        clock,
        log: { debug: write, info: write, warn: write, error: write },
        backend: backend as never,
      },
      { id: await dueId(), reason: 'due', ...key },
      new AbortController().signal,
    )
  const live = async (): Promise<ControlPlane> => {
    const object = await kubernetes.get(resource, key)
    if (object === undefined) throw new Error('the ControlPlane is gone')
    return object as ControlPlane
  }
  const listSecrets = async (): Promise<readonly KubernetesObject[]> =>
    (await kubernetes.list(secrets, { namespace })).items
  const ask = (asked: string) =>
    kubernetes.patch(resource, key, {
      metadata: {
        annotations: {
          [annotations.operation]: asked,
          [annotations.timestamp]: new Date(clock.now()).toISOString(),
        },
      },
    })

  return {
    namespace,
    clock,
    kubernetes,
    resourceManager,
    requests,
    lines,
    due,
    step,
    live,
    lastOperation: async () => (await live()).status?.lastOperation,
    isGone: async () => (await kubernetes.get(resource, key)) === undefined,
    interfereWith: (next: Interference) => {
      interfere = next
    },
    /**
     * Runs steps, with the resource manager between them, until nothing is due. Returns the status descriptions of the
     * waits.
     */
    settle: async ({
      every = 1_000,
      most = 60,
    }: {
      readonly every?: number
      readonly most?: number
    } = {}) => {
      const waits: string[] = []
      for (let count = 0; count < most; count++) {
        await step()
        await resourceManager.work()
        const work = await due()
        if (work === undefined || work.kind === 'none') return waits
        waits.push(String((await live()).status?.lastOperation?.description))
        await clock.advance(Math.max(every, 'at' in work ? Number(work.at) - clock.now() : 0))
      }
      throw new Error(`not done after ${most} steps: ${waits.at(-1)}`)
    },
    ask,
    /** Requests a reconcile, like gardenlet. */
    reconcile: async () => {
      await clock.advance(2_000)
      await ask('reconcile')
    },
    change: (patch: object) => kubernetes.patch(resource, key, patch),
    changeStatus: (status: object) => kubernetes.patch(resource, key, { status }, { subresource: 'status' }),
    changeShoot: (fields: object) =>
      kubernetes.patch(clusterKind.resource, { name: namespace }, { spec: { shoot: fields } }),
    /** Deletes the object as gardenlet does. */
    remove: async () => {
      const confirmed = { 'confirmation.gardener.cloud/deletion': 'true' }
      await kubernetes.patch(resource, key, { metadata: { annotations: confirmed } })
      await kubernetes.delete(resource, key)
    },
    makeSecret,
    secrets: listSecrets,
    secretNames: async () => (await listSecrets()).map(({ metadata }) => metadata.name).sort(),
    managedResource: async (name: string) =>
      (await kubernetes.get(managedResources, { name, namespace })) as ManagedResource | undefined,
    managedResources: async () =>
      (await kubernetes.list(managedResources, { namespace })).items.map(({ metadata }) => metadata.name),
    /** The objects of the ManagedResource. */
    objectsOf: async (name: string): Promise<readonly KubernetesObject[]> => {
      const found = (await kubernetes.get(managedResources, { name, namespace })) as
        | ManagedResource
        | undefined
      const secretName = found?.spec?.secretRefs[0]?.name ?? ''
      const secret = await kubernetes.get(secrets, { name: secretName, namespace })
      return readManifests(Object(secret?.data)) as Promise<readonly KubernetesObject[]>
    },
    /** Creates the API server's Deployment with these replicas. */
    makeApiServer: async (replicas: number) => {
      const name = 'kube-apiserver'
      const metadata = { name, namespace }
      if (await kubernetes.get(deployments, metadata))
        return kubernetes.patch(deployments, metadata, { spec: { replicas } })
      return kubernetes.create(deployments, {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata,
        spec: { replicas, selector: {}, template: {} },
      })
    },
  }
}
export type ControlPlaneSeed = Awaited<ReturnType<typeof newSeed>>

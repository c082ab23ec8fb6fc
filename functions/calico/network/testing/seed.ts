import { createApiServer } from '../../../../sandbox/kubernetes/kubernetes.ts'
import { virtualClock } from '../../../../shared/clock/clock.ts'
import { annotations } from '../../../../shared/contract/constants.ts'
import { allCrds, resourceCrds } from '../../../../shared/contract/crds/crd-of.ts'
import { clusterKind, kinds } from '../../../../shared/contract/kinds.ts'
import type { ManagedResource, Network } from '../../../../shared/contract/objects.ts'
import { managedResourceKind } from '../../../../shared/contract/resource-kinds.ts'
import { eventId } from '../../../../shared/events/events.ts'
import {
  createKubernetes,
  type GroupVersionResource,
  type Kubernetes,
  type KubernetesObject,
  permittedKubernetes,
} from '../../../../shared/kubernetes/kubernetes.ts'
import { dueWork, lifecyclePermissions, runStep, secrets } from '../../../../shared/lifecycle/lifecycle.ts'
import { readManifests } from '../../../../shared/resources/resources.ts'
import { imitatedResourceManager } from '../../../../shared/resources/testing/resource-manager.ts'
import { configMaps, scrapeConfigs } from '../monitoring/core-resources.ts'
import { type NetworkActuatorOptions, networkActuator } from '../network-actuator.ts'
import { networkPermissions } from '../permissions.ts'
import { networkSettings } from '../settings.ts'

const { resource } = kinds.Network
const managedResources = managedResourceKind.resource
/** Created once, because that takes longer than the life of a Network. */
const definitions = [...allCrds(), ...resourceCrds()]

/** As installed by the Prometheus operator, without its schema. */
export const scrapeConfigCrd: KubernetesObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'scrapeconfigs.monitoring.coreos.com' },
  spec: {
    group: scrapeConfigs.group,
    scope: 'Namespaced',
    names: {
      plural: 'scrapeconfigs',
      singular: 'scrapeconfig',
      kind: 'ScrapeConfig',
      listKind: 'ScrapeConfigList',
    },
    versions: [
      {
        name: scrapeConfigs.version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}

export const namespace = 'shoot--foo--bar'

export interface SeedOptions extends NetworkActuatorOptions {
  readonly spec?: Partial<Network['spec']>
  /** Fields of the Shoot in the Cluster. */
  readonly shoot?: object
  readonly settings?: Readonly<Record<string, string>>
  readonly operation?: 'reconcile' | 'restore'
  /** True if the seed has the Prometheus operator. Default: true. */
  readonly hasPrometheus?: boolean
  /** True if the resource manager responds to each write at once. Default: true. */
  readonly instant?: boolean
  readonly namespace?: string
}

/** Hooks that end a call without a response, by throwing before or after it takes effect. */
export interface Interference {
  readonly before?: (call: string) => void | Promise<void>
  readonly after?: (call: string) => void | Promise<void>
}

/** The Shoot as Gardener writes it in a Cluster. */
export const shootOf = (
  fields: {
    readonly kubernetes?: object
    readonly networking?: object
    readonly status?: object
    readonly metadata?: object
  } = {},
) => ({
  ...(fields.metadata && { metadata: fields.metadata }),
  spec: {
    kubernetes: { version: '1.33.3', ...fields.kubernetes },
    networking: { type: 'calico', nodes: '10.250.0.0/16', pods: '10.3.0.0/16', ...fields.networking },
  },
  ...(fields.status && { status: fields.status }),
})

/** A seed with a Network as gardenlet creates it. Steps run on it when events arrive. */
export const newSeed = async ({
  namespace: own = namespace,
  spec,
  shoot = shootOf(),
  settings = {},
  operation = 'reconcile',
  hasPrometheus = true,
  instant = true,
  ...options
}: SeedOptions = {}) => {
  const clock = virtualClock(Date.parse('2026-11-21T12:00:00.250Z'))
  const objects = hasPrometheus ? [...definitions, scrapeConfigCrd] : definitions
  const server = createApiServer({ clock, objects })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  const key = { name: 'network', namespace: own }
  await kubernetes.create(
    { group: '', version: 'v1', plural: 'namespaces', namespaced: false },
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: own } },
  )
  await kubernetes.create(clusterKind.resource, {
    apiVersion: 'extensions.gardener.cloud/v1alpha1',
    kind: 'Cluster',
    metadata: { name: own },
    spec: { cloudProfile: {}, seed: {}, shoot },
  })
  const create = (asked: 'reconcile' | 'restore') =>
    kubernetes.create(resource, {
      apiVersion: 'extensions.gardener.cloud/v1alpha1',
      kind: 'Network',
      metadata: { ...key, annotations: { [annotations.operation]: asked } },
      spec: {
        type: 'calico',
        podCIDR: '10.3.0.0/16',
        serviceCIDR: '10.4.0.0/16',
        ipFamilies: ['IPv4'],
        ...spec,
      },
    })
  await create(operation)

  const resourceManager = imitatedResourceManager(kubernetes, own)
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
    patch: (of, object, patch, patchOptions = {}) =>
      called(
        'patch',
        `${of.plural}${patchOptions.subresource ? `/${patchOptions.subresource}` : ''} ${object.name}`,
        () => kubernetes.patch(of, object, patch, patchOptions),
      ),
    delete: (of, object, ...rest) =>
      called('delete', `${of.plural} ${object.name}`, () => kubernetes.delete(of, object, ...rest)),
  }
  const port = permittedKubernetes(recorded, [...lifecyclePermissions('Network'), ...networkPermissions])
  const actuator = networkActuator(networkSettings.parse(settings), options)
  const backend = { kind: 'Network', types: ['calico'], actuator } as const
  const silent = () => undefined
  const log = { debug: silent, info: silent, warn: silent, error: silent }
  const find = async () => (await kubernetes.get(resource, key)) as Network | undefined
  const due = async () => {
    const object = await find()
    return object && dueWork('Network', object, clock.now())
  }
  const step = async () => {
    const object = await find()
    const work = await due()
    const id =
      object === undefined || work === undefined || work.kind === 'none'
        ? 'nothing'
        : eventId(object.metadata.uid ?? '', object.metadata.generation ?? 0, work.operation, work.cause)
    return runStep(
      { kubernetes: port, clock, log, backend: backend as never },
      { id, reason: 'due', ...key },
      new AbortController().signal,
    )
  }
  const live = async (): Promise<Network> => {
    const object = await find()
    if (object === undefined) throw new Error('the Network is gone')
    return object
  }
  const ask = async (asked: string) => {
    await clock.advance(2_000)
    const timestamp = new Date(clock.now()).toISOString()
    await kubernetes.patch(resource, key, {
      metadata: { annotations: { [annotations.operation]: asked, [annotations.timestamp]: timestamp } },
    })
  }
  const list = async (of: GroupVersionResource): Promise<readonly KubernetesObject[]> =>
    (await kubernetes.list(of, { namespace: own })).items
  const managedResource = async () =>
    (await kubernetes.get(managedResources, {
      name: 'extension-networking-calico-config',
      namespace: own,
    })) as ManagedResource | undefined

  return {
    namespace: own,
    clock,
    kubernetes,
    resourceManager,
    requests,
    writes: () => requests.filter(call => !/^(get|list) /.test(call)),
    due,
    step,
    live,
    lastOperation: async () => (await live()).status?.lastOperation,
    lastError: async () => (await live()).status?.lastError,
    isGone: async () => (await find()) === undefined,
    interfereWith: (next: Interference) => {
      interfere = next
    },
    /**
     * Runs steps, with the resource manager between them, until nothing is due. Returns the status descriptions of the
     * waits.
     */
    settle: async ({ most = 60 }: { readonly most?: number } = {}): Promise<readonly string[]> => {
      const waits: string[] = []
      for (let count = 0; count < most; count++) {
        await step()
        await resourceManager.work()
        const work = await due()
        if (work === undefined || work.kind === 'none') return waits
        waits.push(String((await live()).status?.lastOperation?.description))
        await clock.advance(Math.max(1_000, 'at' in work ? Number(work.at) - clock.now() : 0))
      }
      throw new Error(`not done after ${most} steps: ${waits.at(-1)}`)
    },
    ask,
    create,
    change: (patch: object) => kubernetes.patch(resource, key, patch),
    changeShoot: (fields: object) =>
      kubernetes.patch(clusterKind.resource, { name: own }, { spec: { shoot: fields } }),
    /** Deletes the object as gardenlet does. */
    remove: async () => {
      const confirmed = { 'confirmation.gardener.cloud/deletion': 'true' }
      await kubernetes.patch(resource, key, { metadata: { annotations: confirmed } })
      await kubernetes.delete(resource, key)
    },
    managedResource,
    secretNames: async () => (await list(secrets)).map(({ metadata }) => metadata.name),
    /** The objects of the ManagedResource. */
    objects: async (): Promise<readonly KubernetesObject[]> => {
      const name = (await managedResource())?.spec?.secretRefs[0]?.name ?? ''
      const secret = await kubernetes.get(secrets, { name, namespace: own })
      return readManifests(Object(secret?.data)) as Promise<readonly KubernetesObject[]>
    },
    /** Returns the dashboards and ScrapeConfigs in the seed. */
    monitoring: async (): Promise<readonly KubernetesObject[]> => [
      ...(await list(configMaps)),
      ...(hasPrometheus ? await list(scrapeConfigs) : []),
    ],
  }
}
export type NetworkSeed = Awaited<ReturnType<typeof newSeed>>

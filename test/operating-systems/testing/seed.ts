import { createApiServer } from '../../../sandbox/kubernetes/kubernetes.ts'
import { virtualClock } from '../../../shared/clock/clock.ts'
import { apiVersion } from '../../../shared/contract/constants.ts'
import { allCrds } from '../../../shared/contract/crds/crd-of.ts'
import { clusterKind, kinds } from '../../../shared/contract/kinds.ts'
import type { OperatingSystemConfig } from '../../../shared/contract/objects.ts'
import { type ExtensionEvent, eventId } from '../../../shared/events/events.ts'
import {
  createKubernetes,
  type GroupVersionResource,
  type Kubernetes,
  type KubernetesObject,
} from '../../../shared/kubernetes/kubernetes.ts'
import { dueWork } from '../../../shared/lifecycle/lifecycle.ts'
import type { Log } from '../../../shared/log/log.ts'
import { eventHandler, type FunctionDefinition } from '../../../shared/runtime/runtime.ts'

export const secrets: GroupVersionResource = { group: '', version: 'v1', plural: 'secrets', namespaced: true }
const namespaces: GroupVersionResource = { group: '', version: 'v1', plural: 'namespaces', namespaced: false }
const { resource } = kinds.OperatingSystemConfig

/** Created once for all seeds, because it takes longer than most steps. */
const crds = allCrds()

export const namespace = 'shoot--foo--bar'

/** Returns a config in gardenlet's form. */
export const configOf = (
  spec: Partial<OperatingSystemConfig['spec']> & { readonly type: string },
): KubernetesObject => ({
  apiVersion,
  kind: 'OperatingSystemConfig',
  metadata: { name: 'pool', namespace, annotations: { 'gardener.cloud/operation': 'reconcile' } },
  spec: { purpose: 'provision', ...spec },
})

export interface SeedParts {
  readonly object: KubernetesObject
  /** Secret data by name and key, as text. */
  readonly secrets?: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly cluster?: KubernetesObject
  readonly settings?: Readonly<Record<string, unknown>>
  readonly kubernetes?: { readonly version: string }
}

const silent: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** A write of a step: its verb, its resource, the name and the body. */
export interface Write {
  readonly verb: string
  readonly plural: string
  readonly name: string
  readonly body: object
}

/**
 * Returns a seed with one OperatingSystemConfig. Runs steps on it as a function's process does, with its permissions.
 */
export const seedWith = async (definition: FunctionDefinition, parts: SeedParts) => {
  const clock = virtualClock(Date.parse('2026-11-21T00:00:00Z'))
  const server = createApiServer({ clock, objects: crds })
  const kubernetes = createKubernetes({ transport: server.transport, clock })
  const { name, namespace: inNamespace = namespace } = parts.object.metadata
  const key = { name, namespace: inNamespace }
  const create = (gvr: GroupVersionResource, object: KubernetesObject) => kubernetes.create(gvr, object)
  await create(namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: inNamespace, labels: { 'gardener.cloud/role': 'shoot' } },
  })
  await create(
    clusterKind.resource,
    parts.cluster ?? {
      apiVersion,
      kind: 'Cluster',
      metadata: { name: inNamespace },
      spec: {
        cloudProfile: {},
        seed: {},
        shoot: { spec: { kubernetes: parts.kubernetes ?? { version: '1.33.3' } } },
      },
    },
  )
  for (const [secretName, data] of Object.entries(parts.secrets ?? {}))
    await create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: secretName, namespace: inNamespace },
      data: Object.fromEntries(
        Object.entries(data).map(([field, text]) => [field, Buffer.from(text).toString('base64')]),
      ),
    })
  await create(resource, parts.object)

  const writes: Write[] = []
  const reads: string[] = []
  const watched: Kubernetes = {
    ...kubernetes,
    get: (gvr, of, ...rest) => {
      reads.push(`${gvr.plural} ${of.name}`)
      return kubernetes.get(gvr, of, ...rest)
    },
    create: (gvr, object, ...rest) => {
      writes.push({ verb: 'create', plural: gvr.plural, name: object.metadata.name, body: object })
      return kubernetes.create(gvr, object, ...rest)
    },
    patch: (gvr, of, patch, options, ...rest) => {
      const plural = options?.subresource === undefined ? gvr.plural : `${gvr.plural}/${options.subresource}`
      writes.push({ verb: 'patch', plural, name: of.name, body: patch })
      return kubernetes.patch(gvr, of, patch, options, ...rest)
    },
    delete: (gvr, of, ...rest) => {
      writes.push({ verb: 'delete', plural: gvr.plural, name: of.name, body: {} })
      return kubernetes.delete(gvr, of, ...rest)
    },
  }

  const object = async () => (await kubernetes.get(resource, key)) as OperatingSystemConfig | undefined

  /** Runs the function with the event that is due. */
  const step = async (port: Kubernetes = watched) => {
    const live = await kubernetes.get(resource, key)
    const due = live && dueWork('OperatingSystemConfig', live, clock.now())
    if (live === undefined || due === undefined || due.kind === 'none') return undefined
    const { uid = '', generation = 0 } = live.metadata
    const id = eventId(uid, generation, due.operation, due.cause)
    const settings = definition.settings.parse(parts.settings ?? {})
    const handle = eventHandler(definition, settings, { kubernetes: port, clock, log: silent })
    const event = { id, reason: 'annotation', operation: due.operation, ...key } as ExtensionEvent
    return handle(event, new AbortController().signal)
  }

  return {
    clock,
    kubernetes,
    watched,
    key,
    writes,
    reads,
    step,
    object,
    /** Returns the Secret with the user data, and the data as text. */
    userData: async (secretName = `osc-result-${name}`) => {
      const secret = await kubernetes.get(secrets, { name: secretName, namespace: inNamespace })
      const { cloud_config: data = '' } = (secret?.data ?? {}) as Readonly<Record<string, string>>
      return secret && { secret, text: Buffer.from(data, 'base64').toString() }
    },
    /** Requests an operation as gardenlet does. `patch` changes the object in the same write. */
    ask: async (operation: string, patch: object = {}) => {
      await clock.advance(1_000)
      const annotations = {
        'gardener.cloud/operation': operation,
        'gardener.cloud/timestamp': new Date(clock.now()).toISOString(),
      }
      await kubernetes.patch(resource, key, { ...patch, metadata: { annotations } })
    },
    remove: async () => {
      const metadata = { annotations: { 'confirmation.gardener.cloud/deletion': 'true' } }
      await kubernetes.patch(resource, key, { metadata })
      await kubernetes.delete(resource, key)
    },
    /** Recreates the object, as gardenlet does in the target seed of a shoot. */
    createAnew: (annotations: Readonly<Record<string, string>>) =>
      create(resource, { ...parts.object, metadata: { ...parts.object.metadata, annotations } }),
    close: () => server.close(),
  }
}

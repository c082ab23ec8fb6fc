import { existsSync } from 'node:fs'
import { createApiServer, storeKey } from '../../sandbox/kubernetes/kubernetes.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { allCrds, machineCrds, resourceCrds } from '../../shared/contract/crds/crd-of.ts'
import { clusterKind, type KindName, kindNames, kinds } from '../../shared/contract/kinds.ts'
import { machineKinds } from '../../shared/contract/machine-kinds.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'
import type {
  GroupVersionResource,
  Kubernetes,
  KubernetesObject,
  ObjectKey,
} from '../../shared/kubernetes/kubernetes.ts'
import { createKubernetes, httpTransport } from '../../shared/kubernetes/kubernetes.ts'
import { secrets } from '../../shared/lifecycle/lifecycle.ts'
import { accessOf, type ClusterOptions } from '../open-cluster.ts'
import { kindsInWords, type PlannedKind, plannedKindCalled } from './planned-kinds.ts'
import { readObjects } from './read-objects.ts'

export interface PlannedObject {
  readonly kind: KindName
  readonly key: ObjectKey
}

/** The source of the planned objects, their Clusters and their Secrets. */
export interface ObjectSource {
  /** True for a cluster, false for files. */
  readonly isLive: boolean
  readonly kubernetes: Kubernetes
  readonly objects: readonly PlannedObject[]
  readonly close: () => void
}

const readResources = (planned: readonly PlannedKind[]): Readonly<Record<string, GroupVersionResource>> => ({
  ...Object.fromEntries(planned.map(({ kind }) => [kind, kinds[kind].resource])),
  Cluster: clusterKind.resource,
  Secret: secrets,
  ...Object.fromEntries(Object.entries(machineKinds).map(([kind, { resource }]) => [kind, resource])),
  ManagedResource: managedResourceKind.resource,
  Deployment: { group: 'apps', version: 'v1', plural: 'deployments', namespaced: true },
})

/** Returns the resource of an object in a file: one that every plan reads, or that a function has a permission for. */
const resourceOf = (
  object: KubernetesObject,
  planned: readonly PlannedKind[],
): GroupVersionResource | undefined => {
  const known = readResources(planned)[object.kind]
  // Other groups have kinds with the same names.
  if (known !== undefined && known.group === groupOf(object)) return known
  const plurals = pluralsOf(object.kind)
  return planned
    .flatMap(({ planners }) => planners.flatMap(({ permissions }) => permissions))
    .map(({ resource }) => resource)
    .find(({ group, plural }) => group === groupOf(object) && plurals.includes(plural))
}

/** Derives possible plurals from the kind, which the object does not contain. */
const pluralsOf = (kind: string): readonly string[] => {
  const word = kind.toLowerCase()
  return [`${word}s`, `${word}es`, word.replace(/y$/, 'ies'), word]
}

/**
 * Reads the objects of some files: all that have plans, and at most one Infrastructure. Throws a `UsageError` if there
 * is nothing to plan.
 */
export const fileSource = async (
  paths: readonly string[],
  stdin: NodeJS.ReadableStream,
  kindsToPlan: readonly PlannedKind[],
): Promise<ObjectSource> => {
  if (paths.filter(path => path === '-').length > 1)
    throw new UsageError('standard input can be read only once')
  const live = paths.find(path => areLive([path]))
  if (live !== undefined)
    throw new UsageError(
      `${live}: there is no such file, and a live object is not planned together with files`,
    )
  const objects: KubernetesObject[] = []
  for (const path of paths) objects.push(...(await readObjects(path, stdin)))
  const planned = kindsToPlan.flatMap(({ kind }) =>
    objects.filter(object => object.kind === kind).map(({ metadata }) => plannedObject(kind, metadata)),
  )
  const where = paths.join(', ')
  if (planned.length === 0) throw new UsageError(`${where}: ${nothingIn(objects, kindsToPlan)}`)
  const infrastructures = planned.filter(({ kind }) => kind === 'Infrastructure').length
  if (infrastructures > 1)
    throw new UsageError(`${where}: found ${infrastructures} Infrastructures; a plan is for one`)
  const server = createApiServer({
    clock: systemClock,
    objects: [...allCrds(), ...machineCrds(), ...resourceCrds()],
  })
  // Stored behind the API: in any order, without a namespace, and with their status.
  for (const object of objects) {
    const resource = resourceOf(object, kindsToPlan)
    if (resource === undefined) continue
    const { group, plural } = resource
    const collection = server.store.collection(group === '' ? plural : `${plural}.${group}`)
    collection.put(storeKey(object.metadata.namespace, object.metadata.name), object)
  }
  return {
    isLive: false,
    kubernetes: createKubernetes({ transport: server.transport, clock: systemClock }),
    objects: planned,
    close: server.close,
  }
}

const groupOf = ({ apiVersion }: KubernetesObject): string =>
  apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : ''

const plannedObject = (kind: KindName, { name, namespace }: KubernetesObject['metadata']): PlannedObject => ({
  kind,
  key: { name, ...(namespace !== undefined && { namespace }) },
})

const nothingIn = (objects: readonly KubernetesObject[], planned: readonly PlannedKind[]): string => {
  const extensions = objects.filter(({ kind }) => (kindNames as readonly string[]).includes(kind))
  const wanted = `found no ${kindsInWords(planned, 'or')}`
  if (extensions.length === 0) return wanted
  const found = [...new Set(extensions.map(({ kind }) => kind))].join(', ')
  return `${wanted}; trellis plan does not support ${found}`
}

/**
 * Reads live objects from the cluster that `trellis status` reads: `NAMESPACE/NAME` of an Infrastructure,
 * `KIND/NAMESPACE/NAME`, or `KIND/NAME` of a cluster-scoped kind. Throws a `UsageError` for invalid input.
 */
export const clusterSource = async (
  cluster: ClusterOptions,
  names: readonly string[],
  kindsToPlan: readonly PlannedKind[],
): Promise<ObjectSource> => {
  const objects = names.map(name => liveObject(name, kindsToPlan))
  const transport = httpTransport({ access: await accessOf(cluster) })
  return {
    isLive: true,
    kubernetes: createKubernetes({ transport: transport.send, clock: systemClock }),
    objects,
    close: transport.close,
  }
}

/** Returns true if these are names of live objects, and no files: `dnsrecord/shoot--garden--rose/rose-external`. */
export const areLive = (names: readonly string[]): boolean =>
  names.every(name => {
    const parts = name.split('/')
    return (
      (parts.length === 2 || parts.length === 3) &&
      parts.every(part => isName.test(part) && !/^\.|\.(?:ya?ml|json)$/.test(part)) &&
      !existsSync(name)
    )
  })

const liveObject = (text: string, planned: readonly PlannedKind[]): PlannedObject => {
  const parts = text.split('/')
  if (!isName.test(parts.at(-1) ?? '') || !parts.slice(0, -1).every(part => isName.test(part)))
    throw notLive(text)
  const [first = '', second = '', third] = parts
  if (parts.length === 3) {
    const kind = kindCalled(first, text, planned)
    if (!kinds[kind].resource.namespaced) throw notLive(text)
    return { kind, key: { namespace: second, name: third ?? '' } }
  }
  if (parts.length !== 2) throw notLive(text)
  const called = plannedKindCalled(first, planned)
  return called !== undefined && !kinds[called.kind].resource.namespaced
    ? { kind: called.kind, key: { name: second } }
    : { kind: 'Infrastructure', key: { namespace: first, name: second } }
}

const isName = /^[a-zA-Z0-9.-]+$/

const kindCalled = (given: string, text: string, planned: readonly PlannedKind[]): KindName => {
  const kind = plannedKindCalled(given, planned)?.kind
  if (kind !== undefined) return kind
  throw new UsageError(`${text}: trellis plan supports ${kindsInWords(planned, 'and')}, not ${given}`)
}

const notLive = (text: string): UsageError =>
  new UsageError(
    `${text}: not a live object: expected NAMESPACE/NAME of an Infrastructure, KIND/NAMESPACE/NAME, or KIND/NAME of a kind without namespaces`,
  )

import { clusterKind, type KindName, kinds } from '../../shared/contract/kinds.ts'
import type { Kubernetes, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { factsOf } from '../../shared/lifecycle/lifecycle.ts'
import { pluralTitle } from '../../shared/text/plural-title.ts'
import { type ReadKind, readKind, shootNamespaceOf, unreadOf } from '../observe/observe.ts'
import { type PlannedKind, plannerFor } from '../plan/planned-kinds.ts'

/** The objects of a survey, without their content. */
export interface SurveyListing {
  /** In the order of the places; the objects of a place in the order of the kinds. */
  readonly places: readonly SurveyPlace[]
  /** The lists that failed, with the reason: `DNSRecords: you may not list them`. */
  readonly missing: readonly string[]
  /** The kinds, in the plural, that may have objects which were not listed. */
  readonly unread: readonly string[]
  /** Objects without a plan, by kind and type. */
  readonly unplanned: readonly { readonly kind: KindName; readonly type: string; readonly count: number }[]
  /** The number of namespaces among the places. */
  readonly shoots: number
}

interface SurveyPlace {
  readonly place: string
  readonly shoot: string | undefined
  readonly objects: readonly SurveyTarget[]
}

export interface SurveyTarget {
  readonly kind: KindName
  readonly namespace?: string
  readonly name: string
  readonly type: string
}

export interface ListShootsOptions {
  readonly kubernetes: Pick<Kubernetes, 'list'>
  readonly planned: readonly PlannedKind[]
  /** Default: all. */
  readonly kinds?: readonly KindName[]
  /** Technical names. Default: all, and the objects of no shoot. */
  readonly shoots?: readonly string[]
  readonly signal: AbortSignal
}

/** Lists the objects of a survey, page by page. Retains their names only. */
export const listShoots = async (options: ListShootsOptions): Promise<SurveyListing> => {
  const { planned, kinds: chosen, signal, kubernetes } = options
  const wanted = planned.filter(({ kind }) => chosen?.includes(kind) ?? true)
  const reads = await Promise.all(wanted.map(({ kind }) => listsOf(kind, options)))
  const all = await Promise.all(
    reads.flat().map(async read => readKind(kubernetes, { ...read, reduce: reducedObject }, signal)),
  )
  const unread = unreadOf(all)
  const found = all.flatMap(({ objects }) => objects).filter(object => isChosen(object, options.shoots))
  const places = new Map<string, SurveyTarget[]>()
  const unplanned = new Map<string, { kind: KindName; type: string; count: number }>()
  for (const object of found) {
    const known = wanted.find(({ kind }) => kind === object.kind)
    if (known === undefined) continue
    const { kind } = known
    const { name, namespace } = object.metadata
    const type = factsOf(object).provider
    if (plannerFor(object, known) === undefined) {
      const id = `${kind} ${type}`
      const { count } = unplanned.get(id) ?? { count: 0 }
      unplanned.set(id, { kind, type, count: count + 1 })
      continue
    }
    // Large seeds have an entry for each shoot, so each is a place.
    const place = namespace ?? `${name} (${kind})`
    const listed = { kind, name, type, ...(namespace !== undefined && { namespace }) }
    places.set(place, [...(places.get(place) ?? []), listed])
  }
  const sorted = [...places].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return {
    places: sorted.map(([place, objects]) => ({ place, shoot: objects[0]?.namespace, objects })),
    missing: missingOf(all, unread),
    unread,
    unplanned: [...unplanned.values()],
    shoots: sorted.filter(([, objects]) => objects[0]?.namespace !== undefined).length,
  }
}

/** A kind of this shoot's namespaces is listed there; one without namespaces is listed whole. */
const listsOf = (kind: KindName, { shoots }: ListShootsOptions) => {
  const { resource } = kinds[kind]
  const read = { kind, title: pluralTitle(kind), resource }
  if (shoots === undefined) return [read]
  if (resource.namespaced) return shoots.map(namespace => ({ ...read, namespace }))
  return kind === 'BackupEntry' ? [read] : []
}

/** An absent kind has no objects, if the API server knows others. */
const missingOf = (all: readonly ReadKind[], unread: readonly string[]): readonly string[] => [
  ...new Set(all.flatMap(({ title, missing }) => (missing && unread.includes(title) ? missing : []))),
]

const isChosen = (object: KubernetesObject, shoots: readonly string[] | undefined): boolean => {
  if (shoots === undefined) return true
  const { apiVersion } = object
  const clusters = shoots.map(name => ({ apiVersion, kind: clusterKind.kind, metadata: { name } }))
  const shoot = shootNamespaceOf({ objects: clusters }, object)
  return shoot !== undefined && shoots.includes(shoot)
}

const reducedObject = ({ apiVersion, kind, metadata, spec }: KubernetesObject): KubernetesObject => {
  const { name, namespace } = metadata
  const { type, class: extensionClass } = (spec ?? {}) as {
    readonly type?: unknown
    readonly class?: unknown
  }
  return {
    apiVersion,
    kind,
    metadata: { name, ...(namespace !== undefined && { namespace }) },
    spec: { type, class: extensionClass },
  }
}

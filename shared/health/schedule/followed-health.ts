import type { DeclaredHealth, FunctionHealth, HealthDependency } from '../../contract/health.ts'
import type { KindName } from '../../contract/kinds.ts'

/** The health of kinds whose functions declare nothing else. */
export type MonitoredKinds = Partial<Readonly<Record<KindName, FunctionHealth>>>

/** Objects of a kind and type that have a function. */
interface MonitoredType {
  readonly kind: KindName
  readonly type: string
  /** If true, the function has no health checks. */
  readonly unchecked?: boolean
}

/** The functions whose objects are checked, as far as they are known. */
export interface FollowedFunctions {
  readonly selection: {
    readonly kinds: readonly KindName[]
    /** Default: unknown, so objects of all types may have a function. */
    readonly served?: readonly MonitoredType[]
  }
  readonly monitored: MonitoredKinds
  /** Replaces `monitored` for single functions. */
  readonly declared: readonly DeclaredHealth[]
}

/** Which conditions the process follows. */
export interface FollowedHealth {
  /** The kinds with checked objects. */
  readonly kinds: readonly KindName[]
  /** Returns the health of the objects of a function. Undefined: they have no checks. */
  readonly of: (kind: KindName, type: string) => FunctionHealth | undefined
  /** The objects that any condition depends on, each once. */
  readonly reads: readonly HealthDependency[]
}

/** Returns the same text for the same dependency. */
export const dependencyId = ({ resource, name, labelSelector }: HealthDependency): string =>
  [resource.group, resource.version, resource.plural, name, labelSelector].join(' ')

export const followedHealth = ({ selection, monitored, declared }: FollowedFunctions): FollowedHealth => {
  const { served } = selection
  const own = new Map(declared.map(health => [`${health.kind}/${health.type}`, health]))
  const mayBeServed = (kind: KindName, type: string) =>
    served === undefined || served.some(fn => fn.kind === kind && fn.type === type && fn.unchecked !== true)
  const of = (kind: KindName, type: string) =>
    mayBeServed(kind, type) ? (own.get(`${kind}/${type}`) ?? monitored[kind]) : undefined
  const known = (served ?? declared).filter(({ kind }) => selection.kinds.includes(kind))
  const all = [
    ...known.map(({ kind, type }) => [kind, of(kind, type)] as const),
    ...(served === undefined ? selection.kinds.map(kind => [kind, monitored[kind]] as const) : []),
  ].filter(([, health]) => health !== undefined)
  const reads = all.flatMap(([, health]) => health?.reads ?? [])
  return {
    kinds: selection.kinds.filter(kind => all.some(([followed]) => followed === kind)),
    of,
    reads: [...new Map(reads.map(read => [dependencyId(read), read])).values()],
  }
}

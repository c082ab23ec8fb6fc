import { isRecord, recordOf } from '../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { nameOf } from '../plan/plan-one.ts'
import type { VersionOutcome } from './both-versions.ts'

/** One difference between the plans of two versions for an object. Contains no secrets. */
export interface PlanDifference {
  readonly effect: UpgradeEffect
  /** The action: `update VPC vpc-1`, or the error of a refused object. */
  readonly sentence: string
  /** Lines of the action that the other plan lacks, as in a plan: `tag kind: none → shoot`. */
  readonly lines: readonly string[]
  /** The pool of a Worker. */
  readonly pool?: string
  /** Machines that are replaced or updated in place because of the upgrade. */
  readonly machines?: number
}

/**
 * - `roll`: replaces machines
 * - `roll anyway`: replaces machines with either version, as soon as the object is reconciled
 * - `class`: writes a new class of a pool without machines
 * - `delete`, `replace`, `write`: an action that only the new version has, or has with other values
 * - `status`: writes the status of the object
 * - `refuse`: the new version refuses an object, or a pool, that the old one accepts
 * - `accept`: the new version accepts one that the old one refuses
 * - `stop`: the new version no longer does what the old one would do
 */
export type UpgradeEffect =
  | 'roll'
  | 'roll anyway'
  | 'class'
  | 'delete'
  | 'replace'
  | 'write'
  | 'status'
  | 'refuse'
  | 'accept'
  | 'stop'

/** The fields that plans of all kinds have (`ObjectPlan.json`), of which another version may lack some. */
interface ActionJson {
  readonly kind: string
  readonly sentence: string
  readonly pool?: string
  readonly why?: object
  readonly deployments?: readonly { readonly machines?: number; readonly name?: string }[]
  readonly changes?: readonly Readonly<Record<string, unknown>>[]
  readonly notes?: readonly string[]
  readonly diff?: readonly string[]
  readonly objects?: readonly Readonly<Record<string, unknown>>[]
}

/** Returns the differences between the plans of an object. Throws an `Error` if a plan is unknown. */
export const planDifferences = (
  object: KubernetesObject,
  [from, to]: readonly [from: VersionOutcome, to: VersionOutcome],
): readonly PlanDifference[] => {
  for (const one of [to, from]) if (one.kind === 'refused' && one.isUnknown) throw new Error(one.error)
  if (to.kind === 'unsupported')
    return from.kind === 'unsupported'
      ? []
      : [{ effect: 'refuse', sentence: 'the new version has no plan for this kind and type', lines: [] }]
  // Neither could read the cloud. If the former one could, the new one needs a permission.
  if (to.kind === 'refused' && from.kind === 'refused' && to.isDenied && from.isDenied)
    throw new Error(to.error)
  if (to.kind === 'refused')
    return from.kind === 'refused' && from.error === to.error
      ? []
      : [{ effect: 'refuse', sentence: to.error, lines: [] }]
  const accepted: readonly PlanDifference[] =
    from.kind === 'refused' ? [{ effect: 'accept', sentence: from.error, lines: [] }] : []
  const before = from.kind === 'planned' ? from.json : {}
  return [
    ...accepted,
    ...actionDifferences(actionsOf(before), actionsOf(to.json), object).map(one =>
      one.pool === undefined ? one : withCauses(one, before, to.json),
    ),
    ...problemDifferences(before, to.json),
  ]
}

const actionDifferences = (
  before: readonly ActionJson[],
  after: readonly ActionJson[],
  object: KubernetesObject,
): readonly PlanDifference[] => {
  const unmatched = [...before]
  /** Takes the first action of the old version that matches. */
  const take = (matches: (action: ActionJson) => boolean): ActionJson | undefined => {
    const index = unmatched.findIndex(matches)
    return index === -1 ? undefined : unmatched.splice(index, 1)[0]
  }
  const changed = after.filter(action => take(other => contentOf(other) === contentOf(action)) === undefined)
  const differences = changed.map(action => {
    const other = take(one => subjectOf(one) === subjectOf(action))
    const known = new Set(other === undefined ? [] : linesOf(other))
    const lines = linesOf(action)
    const gone = [...known].filter(line => !lines.includes(line)).map(line => `no longer: ${line}`)
    const difference = differenceOf(action, object, [
      ...new Set(lines.filter(line => !known.has(line))),
      ...gone,
    ])
    return difference.effect === 'roll' && other?.why !== undefined
      ? { ...difference, effect: 'roll anyway' as const, machines: 0 }
      : difference
  })
  const stopped = unmatched.map(
    (action): PlanDifference => ({ effect: 'stop', sentence: action.sentence, lines: linesOf(action) }),
  )
  return [...differences, ...stopped]
}

/** The hashed values of the pool that differ between the versions explain better why it rolls than a plan can. */
const withCauses = (one: PlanDifference, before: object, after: object): PlanDifference => {
  const hashedIn = (json: object) => recordOf(recordOf(recordOf(json).hashed)[one.pool ?? ''])
  const [old, now] = [hashedIn(before), hashedIn(after)]
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    name => old[name] !== now[name],
  )
  if (names.length === 0) return one
  const lines = names.map(name => `because of ${name}: ${old[name] ?? 'none'} → ${now[name] ?? 'none'}`)
  return { ...one, lines }
}

const differenceOf = (
  action: ActionJson,
  object: KubernetesObject,
  lines: readonly string[],
): PlanDifference => {
  const { sentence, pool, deployments = [] } = action
  const machines = deployments.reduce((sum, one) => sum + (one.machines ?? 0), 0)
  const rolls = effectOf(action, sentence.endsWith(nameOf(object)))
  const effect = rolls === 'roll' && machines === 0 ? 'class' : rolls
  return {
    effect,
    sentence,
    lines,
    ...(pool !== undefined && { pool }),
    ...(effect === 'roll' && { machines }),
  }
}

const effectOf = ({ kind, why }: ActionJson, isOwn: boolean): UpgradeEffect => {
  if (why !== undefined) return 'roll'
  if (kind === 'delete' || kind === 'replace') return kind
  return isOwn ? 'status' : 'write'
}

/** A pool that has a problem with only one of the versions. */
const problemDifferences = (before: object, after: object): readonly PlanDifference[] => {
  const textsOf = (json: object) =>
    listIn(json, 'problems').map(({ pool, message }) => ({ pool: String(pool), text: String(message) }))
  const lacking = (all: ReturnType<typeof textsOf>, others: ReturnType<typeof textsOf>) =>
    all.filter(({ pool, text }) => !others.some(other => other.pool === pool && other.text === text))
  const [old, now] = [textsOf(before), textsOf(after)]
  const of = (effect: UpgradeEffect) => (one: (typeof old)[number]) => ({
    ...{ effect, sentence: `pool ${one.pool}: ${one.text}`, pool: one.pool, lines: [] },
  })
  return [...lacking(now, old).map(of('refuse')), ...lacking(old, now).map(of('accept'))]
}

const listIn = (json: object, name: string): readonly Readonly<Record<string, unknown>>[] => {
  const list = (json as Readonly<Record<string, unknown>>)[name]
  return Array.isArray(list) ? list.filter(isRecord) : []
}

/** A wait writes nothing. */
const actionsOf = (json: object): readonly ActionJson[] =>
  listIn(json, 'actions')
    .map(action => action as unknown as ActionJson)
    .filter(({ kind }) => kind !== 'wait')

/** The order of actions is no difference. */
const contentOf = (action: ActionJson): string => JSON.stringify({ ...action, after: [] })

/** Equal for two versions of an action: a sentence may end with counts. */
const subjectOf = ({ kind, sentence, pool }: ActionJson): string =>
  pool === undefined ? `${kind} ${sentence.split(', ')[0]?.replace(/^\w+ /, '')}` : `${kind} pool ${pool}`

const linesOf = (action: ActionJson): readonly string[] => [
  ...(action.changes ?? []).map(changeLine),
  ...(action.notes ?? []),
  ...(action.diff ?? []).filter(line => /^[+-]/.test(line)),
  ...(action.objects ?? []).flatMap(({ change, kind, namespace, name, summary, diff }) => {
    const title = `${change} ${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`
    const lines = Array.isArray(diff) ? diff.filter(line => /^[+-]/.test(line)) : []
    const all = summary === undefined ? lines : [String(summary)]
    return all.length === 0 ? [title] : all.map(line => `${title}: ${line}`)
  }),
]

const changeLine = ({ attribute, before, after, knownAfterCreate }: Readonly<Record<string, unknown>>) =>
  `${attribute}: ${before ?? 'none'} → ${knownAfterCreate ? 'known after create' : (after ?? 'none')}`

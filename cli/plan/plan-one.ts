import type { ObjectPlan, PlanSurroundings } from '../../sandbox/providers/provider.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { codesOf } from '../../shared/contract/classify.ts'
import { parseObject } from '../../shared/contract/parse.ts'
import { formatProblems } from '../../shared/decode/problems.ts'
import type { Kubernetes, KubernetesObject, ObjectKey } from '../../shared/kubernetes/kubernetes.ts'
import {
  clusterOf,
  credentialsRefOf,
  type ReadKubernetes,
  readSecret,
  redact,
} from '../../shared/lifecycle/lifecycle.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { type PlannedKind, plannerFor, typesInWords } from './planned-kinds.ts'
import type { Planner } from './planner.ts'

/** The sources of the plan of one object. The same for every object of a command. */
export interface PlanReading {
  readonly planned: readonly PlannedKind[]
  /** Reads the object's Cluster, its Secret and the other objects of the plan. */
  readonly kubernetes: Kubernetes
  /** Connects to the cloud of a planner: `connectOnce`. */
  readonly connect: (planner: Planner) => Promise<unknown>
  /** Settings of functions: `TRELLIS_…`. */
  readonly env: PlanSurroundings['env']
  readonly signal: AbortSignal
  /** True to plan the deletion. Default: for objects with a deletion timestamp. */
  readonly delete?: boolean
  /** Advice for the user if the Secret cannot be read, without a full stop. Default: none. */
  readonly secretAdvice?: string
}

export interface PlannedOne {
  readonly plan: ObjectPlan
  /** True if it is the plan of a deletion. */
  readonly destroy: boolean
}

/**
 * Returns the plan that the next step of the function would apply to an object. Reads only. Throws a `UsageError` for
 * an object without plans or with an invalid shape, and any error that the step would throw, without the content of
 * the Secret.
 */
export const planOne = async (object: KubernetesObject, reading: PlanReading): Promise<PlannedOne> => {
  const { kubernetes, signal, secretAdvice } = reading
  const { parsed, planner, kind } = parsedOf(object, reading.planned)
  const ref = planner.ignoresSecret ? undefined : credentialsRefOf(object)
  const secret =
    ref &&
    (await readSecret(kubernetes, ref, signal).catch((error: unknown) => {
      if (secretAdvice === undefined) throw error
      throw new UsageError(`${messageOf(error)}. ${secretAdvice}`, { cause: error })
    }))
  const lookup = await clusterOf(kubernetes, kind, object, signal)
  if (lookup.kind === 'unreadable') throw lookup.error
  // As in the function: an object with a deletion timestamp is deleted.
  const destroy = reading.delete === true || object.metadata.deletionTimestamp !== undefined
  try {
    const plan = await planner.plan(parsed, {
      secret,
      cluster: lookup.kind === 'found' ? lookup.cluster : undefined,
      kubernetes: readsOf(kubernetes),
      env: reading.env,
      connection: await reading.connect(planner),
      clock: systemClock,
      signal,
      destroy,
    })
    return { plan, destroy }
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new Error(redact(failureText(error), secret), { cause: error })
  }
}

/**
 * Returns a function that connects each planner to its cloud once, so that all plans of a command share the limits of
 * a connection. Throws a `UsageError` for an endpoint that is no URL.
 *
 * @param given `connection`: replaces all connections; `endpoint`: the URL of the cloud. Default: over the network
 */
export const connectOnce = (given: {
  readonly endpoint?: string | undefined
  readonly connection?: unknown
}): PlanReading['connect'] => {
  const { endpoint, connection } = given
  if (endpoint !== undefined && !/^https?:\/\//.test(endpoint))
    throw new UsageError('--endpoint: expected a URL such as http://127.0.0.1:4566')
  const connections = new Map<Planner['connect'], Promise<unknown>>()
  return async ({ connect }) => {
    if (connection !== undefined) return connection
    const known = connections.get(connect) ?? connect(endpoint === undefined ? {} : { endpoint })
    connections.set(connect, known)
    return known
  }
}

/** `Infrastructure shoot--garden--rose/rose`, as in a plan's headline. */
export const nameOf = ({
  kind,
  metadata: { namespace, name },
}: {
  readonly kind?: string
  readonly metadata: ObjectKey
}): string => `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`

/** Passes on only the two reads, because a planner may be foreign code. */
const readsOf = ({ get, list }: ReadKubernetes): ReadKubernetes => ({ get, list })

/**
 * Parses an object with the schema of its kind, and finds its planner. Throws a `UsageError` for an invalid object, or
 * for a kind or type without plans.
 */
const parsedOf = (
  found: KubernetesObject,
  planned: readonly PlannedKind[],
): {
  readonly parsed: KubernetesObject
  readonly planner: Planner
  readonly kind: PlannedKind['kind']
} => {
  const known = planned.find(({ kind }) => kind === found.kind)
  if (known === undefined) throw new UsageError(`trellis plan does not support the kind of ${nameOf(found)}`)
  const result = parseObject(known.kind, found)
  if (!result.ok) throw new UsageError(`${nameOf(found)}: ${formatProblems(result.problems)}`)
  const planner = plannerFor(found, known)
  if (planner === undefined)
    throw new UsageError(
      `${nameOf(found)} has type ${result.object.spec.type}; trellis plan supports ${typesInWords(known)}`,
    )
  return { parsed: result.object, planner, kind: known.kind }
}

const failureText = (error: unknown): string => {
  const codes = codesOf(error)
  const text = messageOf(error)
  return codes.length === 0 ? text : `${text} (${codes.join(', ')})`
}

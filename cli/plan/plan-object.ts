import type { ObjectPlan, PlanSurroundings, Provider } from '../../sandbox/providers/provider.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { followSignal, systemClock, withinSignal } from '../../shared/clock/clock.ts'
import { codesOf } from '../../shared/contract/classify.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { parseObject } from '../../shared/contract/parse.ts'
import { formatProblems } from '../../shared/decode/problems.ts'
import type { KubernetesObject, ObjectKey } from '../../shared/kubernetes/kubernetes.ts'
import {
  clusterOf,
  credentialsRefOf,
  type ReadKubernetes,
  readSecret,
  redact,
} from '../../shared/lifecycle/lifecycle.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { printable } from '../../shared/text/printable.ts'
import type { PaintPlan } from '../../terraform-free-infra/engine/engine.ts'
import type { ClusterOptions } from '../open-cluster.ts'
import type { WaitOptions } from '../until-there.ts'
import { areLive, clusterSource, fileSource, type ObjectSource, type PlannedObject } from './object-source.ts'
import { type PlannedKind, plannedKindsOf, plannerFor, typesInWords } from './planned-kinds.ts'
import { type Planner, providerPlanners } from './planner.ts'

export interface PlanOptions extends ClusterOptions {
  readonly endpoint?: string
  readonly delete?: boolean
  readonly output: 'text' | 'json'
}

export interface PlanOutput {
  readonly providers: readonly Provider[]
  /**
   * Planners of functions that change only Kubernetes. An author's planners precede this project's own. Default: none.
   */
  readonly planners?: readonly Planner[]
  /** Settings of functions: `TRELLIS_…`. Default: none. */
  readonly env?: PlanSurroundings['env']
  readonly stdin: NodeJS.ReadableStream
  readonly write: (text: string) => void
  /** Waits until a service that another command is starting is available. Default: no wait. */
  readonly ready?: (given: WaitOptions) => Promise<void>
  /** Colours the lines. Default: no colours. */
  readonly paint?: PaintPlan
  /** Ends the plan, which then fails with the reason of the signal. Default: never. */
  readonly signal?: AbortSignal
  /** The connection to the cloud. Default: over the network. */
  readonly connection?: unknown
}

/**
 * Prints the plans that the next steps of the functions would apply to the objects of some files, or to a live one.
 * Reads only. Returns true if there are changes. Throws a `UsageError` for invalid input, and any error that a step
 * would throw.
 */
export const planObjects = async (
  what: readonly string[],
  options: PlanOptions,
  output: PlanOutput,
): Promise<boolean> => {
  output.signal?.throwIfAborted()
  const ended = followSignal(output.signal)
  try {
    // A planner may be foreign code, which need not end with its signal.
    return await withinSignal(ended.signal, planAll(what, options, output, ended.signal))
  } finally {
    ended.abort()
    ended.release()
  }
}

const planAll = async (
  what: readonly string[],
  options: PlanOptions,
  output: PlanOutput,
  signal: AbortSignal,
): Promise<boolean> => {
  const { endpoint, kubeconfig } = options
  if (endpoint !== undefined && !/^https?:\/\//.test(endpoint))
    throw new UsageError('--endpoint: expected a URL such as http://127.0.0.1:4566')
  if (kubeconfig !== undefined) await output.ready?.({ kubeconfig })
  const planned = plannedKindsOf([...(output.planners ?? []), ...output.providers.flatMap(providerPlanners)])
  const source =
    (kubeconfig ?? options.context) === undefined && !areLive(what)
      ? await fileSource(what, output.stdin, planned)
      : await clusterSource(options, what, planned)
  signal.addEventListener('abort', source.close, { once: true })
  try {
    // Validates the file before the wait for a cloud.
    if (endpoint !== undefined) await output.ready?.({ endpoint })
    const printed: object[] = []
    let differs = false
    for (const each of source.objects) {
      const { object, plan, destroy } = await planOf(source, each, planned, options, output, signal)
      signal.throwIfAborted()
      differs ||= plan.differs
      const { kind, metadata } = object
      if (options.output === 'json') {
        const { namespace, name } = metadata
        printed.push({ object: { kind, namespace, name }, ...plan.json })
        continue
      }
      const doing = destroy ? 'Deleting' : 'Reconciling'
      const gap = each === source.objects[0] ? '' : '\n'
      const head = `${gap}${printable(`${doing} ${nameOf(object)}${plan.where}`)}`
      output.write(`${head}\n\n${plan.text(output.paint ?? ((_, text) => text))}`)
    }
    const [only] = printed
    if (only !== undefined)
      output.write(`${JSON.stringify(printed.length === 1 ? only : printed, null, 2)}\n`)
    return differs
  } finally {
    source.close()
  }
}

const planOf = async (
  { kubernetes, isLive }: ObjectSource,
  { kind, key }: PlannedObject,
  planned: readonly PlannedKind[],
  options: PlanOptions,
  output: PlanOutput,
  signal: AbortSignal,
): Promise<{ readonly object: KubernetesObject; readonly plan: ObjectPlan; readonly destroy: boolean }> => {
  const object = await kubernetes.get(kinds[kind].resource, key, { signal })
  if (object === undefined) throw new UsageError(`${nameOf({ kind, metadata: key })} does not exist`)
  const { parsed, planner } = parsedOf(object, planned)
  const ref = planner.ignoresSecret ? undefined : credentialsRefOf(object)
  const secret =
    ref &&
    (await readSecret(kubernetes, ref, signal).catch((error: unknown) => {
      if (isLive) throw error
      throw new UsageError(`${messageOf(error)}. Give the file with this object, too`, { cause: error })
    }))
  const lookup = await clusterOf(kubernetes, kind, object, signal)
  if (lookup.kind === 'unreadable') throw lookup.error
  const { endpoint } = options
  // As in the function: an object with a deletion timestamp is deleted.
  const destroy = options.delete === true || object.metadata.deletionTimestamp !== undefined
  try {
    const connection =
      output.connection ?? (await planner.connect(endpoint === undefined ? {} : { endpoint }))
    const plan = await planner.plan(parsed, {
      secret,
      cluster: lookup.kind === 'found' ? lookup.cluster : undefined,
      kubernetes: readsOf(kubernetes),
      env: output.env ?? {},
      connection,
      clock: systemClock,
      signal,
      destroy,
    })
    return { object, plan, destroy }
  } catch (error) {
    if (error instanceof UsageError) throw error
    const text = failureText(error)
    throw new Error(redact(text, secret), { cause: error })
  }
}

/** Passes on only the two reads, because a planner may be foreign code. */
const readsOf = ({ get, list }: ReadKubernetes): ReadKubernetes => ({ get, list })

/**
 * Parses an object with the schema of its kind, and finds its planner. Throws a `UsageError` for an invalid object, or
 * for a kind or type without plans.
 */
const parsedOf = (
  found: KubernetesObject,
  planned: readonly PlannedKind[],
): { readonly parsed: KubernetesObject; readonly planner: Planner } => {
  const known = planned.find(({ kind }) => kind === found.kind)
  if (known === undefined) throw new UsageError(`trellis plan does not support the kind of ${nameOf(found)}`)
  const result = parseObject(known.kind, found)
  if (!result.ok) throw new UsageError(`${nameOf(found)}: ${formatProblems(result.problems)}`)
  const planner = plannerFor(found, known)
  if (planner === undefined)
    throw new UsageError(
      `${nameOf(found)} has type ${result.object.spec.type}; trellis plan supports ${typesInWords(known)}`,
    )
  return { parsed: result.object, planner }
}

const nameOf = ({
  kind,
  metadata: { namespace, name },
}: {
  readonly kind?: string
  readonly metadata: ObjectKey
}): string => `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`

const failureText = (error: unknown): string => {
  const codes = codesOf(error)
  const text = messageOf(error)
  return codes.length === 0 ? text : `${text} (${codes.join(', ')})`
}

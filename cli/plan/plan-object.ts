import type { PlanSurroundings, Provider } from '../../sandbox/providers/provider.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { followSignal, withinSignal } from '../../shared/clock/clock.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { printable } from '../../shared/text/printable.ts'
import type { PaintPlan } from '../../terraform-free-infra/engine/engine.ts'
import type { ClusterOptions } from '../open-cluster.ts'
import type { WaitOptions } from '../until-there.ts'
import { areLive, clusterSource, fileSource, type ObjectSource, type PlannedObject } from './object-source.ts'
import { connectOnce, nameOf, type PlannedOne, type PlanReading, planOne } from './plan-one.ts'
import { plannedKindsOf } from './planned-kinds.ts'
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
  const connect = connectOnce({ endpoint, connection: output.connection })
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
    const reading: PlanReading = {
      planned,
      kubernetes: source.kubernetes,
      connect,
      env: output.env ?? {},
      signal,
      ...(options.delete !== undefined && { delete: options.delete }),
      // A file may lack the Secret; a live object's Secret is another problem.
      ...(!source.isLive && { secretAdvice: 'Give the file with this object, too' }),
    }
    const printed: object[] = []
    let differs = false
    for (const each of source.objects) {
      const { object, plan, destroy } = await planOf(source, each, reading)
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
  source: ObjectSource,
  { kind, key }: PlannedObject,
  reading: PlanReading,
): Promise<PlannedOne & { readonly object: KubernetesObject }> => {
  const { signal } = reading
  const object = await source.kubernetes.get(kinds[kind].resource, key, { signal })
  if (object === undefined) throw new UsageError(`${nameOf({ kind, metadata: key })} does not exist`)
  return { object, ...(await planOne(object, reading)) }
}

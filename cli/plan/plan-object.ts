import { systemClock } from '../../shared/clock/clock.ts'
import { codesOf } from '../../shared/contract/classify.ts'
import { parseObject } from '../../shared/contract/parse.ts'
import { formatProblems } from '../../shared/contract/problems.ts'
import type { KubernetesObject } from '../../shared/kubernetes/port.ts'
import { redact } from '../../shared/lifecycle/step/outcome-writer.ts'
import { clusterOf, readSecret, secretRefOf } from '../../shared/lifecycle/step/preconditions.ts'
import { type AwsRequestHandler, keepAliveHandler } from '../../terraform-free-infra/aws/aws.ts'
import type { PaintPlan } from '../../terraform-free-infra/engine/engine.ts'
import { UsageError } from '../exit-code.ts'
import type { Given } from '../until-there.ts'
import { infrastructurePlan, type ObjectPlan, type PlanSurroundings, recordPlan } from './object-plan.ts'
import { clusterSource, fileSource, type ObjectSource, type PlannedObject } from './object-source.ts'
import { plannedKinds } from './planned-kinds.ts'

export interface PlanOptions {
  readonly kubeconfig?: string
  readonly endpoint?: string
  readonly delete?: boolean
  readonly output: 'text' | 'json'
}

export interface PlanOutput {
  readonly stdin: NodeJS.ReadableStream
  readonly write: (text: string) => void
  /** Waits until what another command is about to start is there; absent: it is there. */
  readonly ready?: (given: Given) => Promise<void>
  /** How the lines are coloured; absent: not at all. */
  readonly paint?: PaintPlan
  /** How AWS is called; absent: over the network. */
  readonly requestHandler?: AwsRequestHandler
}

/**
 * Prints what the next steps of the functions would do with the objects of some files, or with a live one: the plans
 * that they would apply. Reads, and writes nothing anywhere. Returns whether there is something to do. Throws a
 * `UsageError` for input that cannot be used, and what a step would throw.
 */
export const planObjects = async (
  what: readonly string[],
  options: PlanOptions,
  output: PlanOutput,
): Promise<boolean> => {
  const { endpoint, kubeconfig } = options
  if (endpoint !== undefined && !/^https?:\/\//.test(endpoint))
    throw new UsageError('--endpoint: expected a URL such as http://127.0.0.1:4566')
  if (kubeconfig !== undefined) await output.ready?.({ kubeconfig })
  const source =
    kubeconfig === undefined ? await fileSource(what, output.stdin) : await clusterSource(kubeconfig, what)
  const abort = new AbortController()
  try {
    // Nobody waits for an AWS to be told that a file cannot be used.
    if (endpoint !== undefined) await output.ready?.({ endpoint })
    const printed: object[] = []
    let differs = false
    for (const planned of source.objects) {
      const { object, plan, destroy } = await planOf(source, planned, options, output, abort.signal)
      differs ||= plan.differs
      const { kind, metadata } = object
      if (options.output === 'json') {
        const { namespace, name } = metadata
        printed.push({ object: { kind, namespace, name }, ...plan.json })
        continue
      }
      const doing = destroy ? 'Deleting' : 'Reconciling'
      const gap = planned === source.objects[0] ? '' : '\n'
      const head = `${gap}${doing} ${nameOf(object)}${plan.where}`
      output.write(`${head}\n\n${plan.text(output.paint ?? ((_, text) => text))}`)
    }
    const [only] = printed
    if (only !== undefined)
      output.write(`${JSON.stringify(printed.length === 1 ? only : printed, null, 2)}\n`)
    return differs
  } finally {
    abort.abort()
    source.close()
  }
}

const planOf = async (
  { kubernetes }: ObjectSource,
  { kind, key }: PlannedObject,
  options: PlanOptions,
  { requestHandler = keepAliveHandler() }: PlanOutput,
  signal: AbortSignal,
): Promise<{ readonly object: KubernetesObject; readonly plan: ObjectPlan; readonly destroy: boolean }> => {
  const object = await kubernetes.get(plannedKinds[kind].resource, key, { signal })
  if (object === undefined) throw new UsageError(`there is no ${kind} ${key.namespace ?? ''}/${key.name}`)
  const make = plannerOf(object)
  const ref = secretRefOf(object)
  if (ref === undefined) throw new UsageError('spec.secretRef: expected the name and namespace of a Secret')
  const secret = await readSecret(kubernetes, ref, signal).catch((error: unknown) => {
    if (options.kubeconfig !== undefined) throw error
    throw new UsageError(
      `${error instanceof Error ? error.message : String(error)}; give the file that holds it, too`,
      { cause: error },
    )
  })
  const lookup = await clusterOf(kubernetes, kind, object, signal)
  if (lookup.kind === 'unreadable') throw lookup.error
  const { endpoint } = options
  // As the function takes it: an object on its way out is deleted.
  const destroy = options.delete === true || object.metadata.deletionTimestamp !== undefined
  try {
    const plan = await make({
      secret,
      cluster: lookup.kind === 'found' ? lookup.cluster : undefined,
      connection: { requestHandler, ...(endpoint !== undefined && { endpoint }) },
      clock: systemClock,
      signal,
      destroy,
    })
    return { object, plan, destroy }
  } catch (error) {
    throw new Error(redact(failureText(error), secret), { cause: error })
  }
}

type Planner = (surroundings: PlanSurroundings) => Promise<ObjectPlan>

/** Throws a `UsageError` for an object of another shape, or of a type that plans are not made for. */
const plannerOf = (found: KubernetesObject): Planner => {
  switch (found.kind) {
    case 'Infrastructure': {
      const object = parsed('Infrastructure', found)
      return surroundings => infrastructurePlan(object, surroundings)
    }
    case 'DNSRecord': {
      const object = parsed('DNSRecord', found)
      return surroundings => recordPlan(object, surroundings)
    }
    default:
      throw new UsageError(`${nameOf(found)} is of a kind that plans are not made for`)
  }
}

const parsed = <K extends keyof typeof plannedKinds>(kind: K, found: KubernetesObject) => {
  const result = parseObject(kind, found)
  if (!result.ok) throw new UsageError(`${nameOf(found)}: ${formatProblems(result.problems)}`)
  const { type } = result.object.spec
  const { type: planned } = plannedKinds[kind]
  if (type !== planned)
    throw new UsageError(`${nameOf(found)} is of type ${type}; plans are made for ${planned}`)
  return result.object
}

const nameOf = ({ kind, metadata: { namespace, name } }: KubernetesObject): string =>
  `${kind} ${namespace ?? ''}/${name}`

const failureText = (error: unknown): string => {
  const codes = codesOf(error)
  const text = error instanceof Error ? error.message : String(error)
  return codes.length === 0 ? text : `${text} (${codes.join(', ')})`
}

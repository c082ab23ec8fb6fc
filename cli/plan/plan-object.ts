import { planInfrastructure } from '../../functions/aws/infrastructure/plan.ts'
import { systemClock } from '../../shared/clock/clock.ts'
import { codesOf } from '../../shared/contract/classify.ts'
import { kinds } from '../../shared/contract/kinds.ts'
import { parseObject } from '../../shared/contract/parse.ts'
import { formatProblems } from '../../shared/contract/problems.ts'
import type { Infrastructure } from '../../shared/contract/schemas/infrastructure.ts'
import { clusterOf } from '../../shared/lifecycle/cluster-of.ts'
import { readSecret, redact, secretRefOf } from '../../shared/lifecycle/secret-of.ts'
import type { AwsRequestHandler } from '../../terraform-free-infra/aws/client/request-handler.ts'
import { keepAliveHandler } from '../../terraform-free-infra/aws/client/request-handler.ts'
import type { AwsCloud } from '../../terraform-free-infra/aws/infrastructure/cloud.ts'
import { formatPlan, type Plan, planJson } from '../../terraform-free-infra/engine/engine.ts'
import { UsageError } from '../exit-code.ts'
import { clusterSource, fileSource, type ObjectSource } from './object-source.ts'

export interface PlanOptions {
  readonly kubeconfig?: string
  readonly endpoint?: string
  readonly delete?: boolean
  readonly output: 'text' | 'json'
}

export interface PlanOutput {
  readonly stdin: NodeJS.ReadableStream
  readonly write: (text: string) => void
  /** How AWS is called; absent: over the network. */
  readonly requestHandler?: AwsRequestHandler
}

/**
 * Prints what the next step of the function would do with an Infrastructure: the plan that it would apply. Reads, and
 * writes nothing anywhere. Returns whether there is something to do. Throws a `UsageError` for input that cannot be
 * used, and what the step would throw.
 */
export const planObject = async (
  what: string,
  options: PlanOptions,
  { stdin, write, requestHandler = keepAliveHandler() }: PlanOutput,
): Promise<boolean> => {
  const { endpoint, kubeconfig } = options
  if (endpoint !== undefined && !/^https?:\/\//.test(endpoint))
    throw new UsageError('--endpoint: expected a URL such as http://127.0.0.1:4566')
  const source =
    kubeconfig === undefined ? await fileSource(what, stdin) : await clusterSource(kubeconfig, what)
  const abort = new AbortController()
  try {
    const object = await infrastructureOf(source, abort.signal)
    const ref = secretRefOf(object)
    if (ref === undefined) throw new UsageError('spec.secretRef: expected the name and namespace of a Secret')
    const secret = await readSecret(source.kubernetes, ref, abort.signal)
    const lookup = await clusterOf(source.kubernetes, 'Infrastructure', object, abort.signal)
    if (lookup.kind === 'unreadable') throw lookup.error
    try {
      const plan = await planInfrastructure({
        object,
        secret,
        cluster: lookup.kind === 'found' ? lookup.cluster : undefined,
        connection: { requestHandler, ...(endpoint !== undefined && { endpoint }) },
        clock: systemClock,
        signal: abort.signal,
        // As the function takes it: an object on its way out is deleted.
        destroy: options.delete === true || object.metadata.deletionTimestamp !== undefined,
      })
      write(options.output === 'json' ? jsonOf(object, plan) : textOf(object, plan))
      return plan.actions.length > 0
    } catch (error) {
      throw new Error(redact(failureText(error), secret), { cause: error })
    }
  } finally {
    abort.abort()
    source.close()
  }
}

const infrastructureOf = async (
  { kubernetes, key }: ObjectSource,
  signal: AbortSignal,
): Promise<Infrastructure> => {
  const name = `Infrastructure ${key.namespace ?? ''}/${key.name}`
  const found = await kubernetes.get(kinds.Infrastructure.resource, key, { signal })
  if (found === undefined) throw new UsageError(`there is no ${name}`)
  const parsed = parseObject('Infrastructure', found)
  if (!parsed.ok) throw new UsageError(`${name}: ${formatProblems(parsed.problems)}`)
  const { type } = parsed.object.spec
  if (type !== 'aws') throw new UsageError(`${name} is of type ${type}; plans are made for aws`)
  return parsed.object
}

const failureText = (error: unknown): string => {
  const codes = codesOf(error)
  const text = error instanceof Error ? error.message : String(error)
  return codes.length === 0 ? text : `${text} (${codes.join(', ')})`
}

const textOf = ({ metadata }: Infrastructure, plan: Plan<AwsCloud>): string =>
  `${plan.destroying ? 'Deleting' : 'Reconciling'} Infrastructure ${metadata.namespace}/${metadata.name}\n\n${formatPlan(plan)}`

const jsonOf = ({ metadata: { namespace, name } }: Infrastructure, plan: Plan<AwsCloud>): string =>
  `${JSON.stringify({ object: { kind: 'Infrastructure', namespace, name }, ...planJson(plan) }, null, 2)}\n`

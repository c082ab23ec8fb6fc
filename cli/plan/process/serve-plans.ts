import { findProviders } from '../../../sandbox/providers/find-providers.ts'
import type { Provider } from '../../../sandbox/providers/provider.ts'
import { UsageError } from '../../../sandbox/terminal/exit-code.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import { extensionClasses } from '../../../shared/contract/constants.ts'
import { parseObject } from '../../../shared/contract/parse.ts'
import { formatProblems } from '../../../shared/decode/problems.ts'
import type { ReadKubernetes } from '../../../shared/lifecycle/lifecycle.ts'
import { envName, type FunctionDefinition } from '../../../shared/runtime/runtime.ts'
import { patientConnections } from '../../../shared/runtime/start/patient-connections.ts'
import type { CloudHttpAnswer, CloudHttpRequest } from '../../../terraform-free-infra/cloud/http-sender.ts'
import type { AllowedNetwork } from '../../confined/allowed-network.ts'
import type { RefusedAttempts } from '../../confined/refused-attempts.ts'
import { takeSend } from '../../confined/take-send.ts'
import { functionsToPlan } from '../functions-to-plan.ts'
import { type GivenSurroundings, planFunction, providerPlanners } from '../planner.ts'
import { cloudsProtocol } from './clouds-protocol.ts'
import { errorOf, type Failure, failureOf } from './failure.ts'
import type {
  CloudCallRequest,
  FromProcess,
  PlannedFunction,
  PlannedInProcess,
  PlanProcessInput,
  PlanRequest,
  SourceRead,
  ToProcess,
} from './messages.ts'

/**
 * Loads the functions of the folders and this project's own, and plans their steps for the command at the other end of
 * the channel. The process ends when the channel closes.
 */
export const servePlans = async (
  { folders, network, clouds }: PlanProcessInput,
  channel: NodeJS.Process,
  refusals: RefusedAttempts,
): Promise<void> => {
  patientConnections()
  const post = takeSend(channel)
  const send = (message: FromProcess): void => {
    post?.(message)
  }
  const asked = new Map<number, PromiseWithResolvers<unknown>>()
  const ask = (question: PlanQuestion, plan: number): Promise<unknown> => {
    const id = count++
    const answer = Promise.withResolvers<unknown>()
    asked.set(id, answer)
    send({ ...question, id, plan })
    return answer.promise.finally(() => asked.delete(id))
  }
  let count = 0
  let planned: readonly ServedPlanner[] = []

  const plan = async (id: number, { index, ...request }: PlanRequest): Promise<void> => {
    const planner = planned[index]
    if (planner === undefined) throw new RangeError(`there is no function ${index}`)
    refusals.clear()
    const kubernetes: ReadKubernetes = {
      // The command's answer has the type that the port promises.
      get: (resource, key) =>
        ask({ kind: 'read', read: { verb: 'get', resource, key } }, id) as ReturnType<ReadKubernetes['get']>,
      list: (resource, { signal: _, ...options } = {}) =>
        ask({ kind: 'read', read: { verb: 'list', resource, options } }, id) as ReturnType<
          ReadKubernetes['list']
        >,
    }
    const call = (provider: string, request: CloudHttpRequest) =>
      ask({ kind: 'call', provider, request }, id) as Promise<CloudHttpAnswer>
    try {
      // The schemas of two versions may differ.
      const parsed = parseObject(planner.described.kind, request.object)
      if (!parsed.ok) throw new UsageError(formatProblems(parsed.problems))
      const { signal } = new AbortController()
      const made = await planner.plan({ ...request, kubernetes, clock: systemClock, signal }, call)
      // The function may have swallowed the error, and then the plan would be wrong.
      send(
        refusals.list().length === 0
          ? { kind: 'planned', id, plan: made }
          : { kind: 'failed', id, failure: refusedFailure(planner, refusals, network) },
      )
    } catch (error) {
      const failure =
        refusals.list().length === 0 ? failureOf(error) : refusedFailure(planner, refusals, network)
      send({ kind: 'failed', id, failure })
    }
  }

  channel.on('disconnect', () => process.exit())
  channel.on('message', (message: ToProcess) => {
    switch (message.kind) {
      case 'plan':
        return void plan(message.id, message)
      case 'answer':
        return asked.get(message.id)?.resolve(message.value)
      case 'refusal':
        return asked.get(message.id)?.reject(errorOf(message.failure))
    }
  })
  try {
    const providers = await findProviders()
    planned = [
      ...(await functionsToPlan(folders, providers)).map(ofFunction),
      ...(clouds === undefined ? [] : providers.flatMap(provider => ofProvider(provider, clouds))),
    ]
    send({
      kind: 'functions',
      functions: planned.map(({ described }) => described),
      ...(clouds && { protocol: cloudsProtocol }),
    })
  } catch (error) {
    send({ kind: 'unusable', failure: failureOf(error) })
  }
}

/** A question of a plan to the command. */
type PlanQuestion =
  | { readonly kind: 'read'; readonly read: SourceRead }
  | ({ readonly kind: 'call' } & CloudCallRequest)

/** A planner in this process. */
interface ServedPlanner {
  readonly described: PlannedFunction
  /** True if it plans changes of its cloud. */
  readonly plansCloud: boolean
  readonly plan: (
    given: Omit<PlanRequest, 'index'> & Pick<GivenSurroundings, 'kubernetes' | 'clock' | 'signal'>,
    call: (provider: string, request: CloudHttpRequest) => Promise<CloudHttpAnswer>,
  ) => Promise<PlannedInProcess>
}

const ofFunction = (definition: FunctionDefinition): ServedPlanner => {
  const { name, kind, types, classes, permissions, ignoresSecret, settings } = definition
  const env = Object.keys(settings.shape).map(key => envName(key))
  return {
    described: {
      ...{ name, kind, types, classes, permissions, env },
      ...(ignoresSecret !== undefined && { ignoresSecret }),
    },
    plansCloud: definition.planOf !== undefined,
    plan: given => planFunction(definition, given),
  }
}

const ofProvider = (
  provider: Provider,
  clouds: NonNullable<PlanProcessInput['clouds']>,
): readonly ServedPlanner[] =>
  providerPlanners(provider).map(planner => ({
    described: {
      name: `${provider.name}-${planner.kind.toLowerCase()}`,
      kind: planner.kind,
      types: planner.types,
      classes: extensionClasses,
      permissions: [],
      env: undefined,
      ...(planner.ignoresSecret && { ignoresSecret: true }),
    },
    plansCloud: true,
    plan: async ({ object, ...given }, call) => {
      const connection = await planner.connect({
        ...clouds,
        send: ({ signal: _, ...request }) => call(provider.name, request),
      })
      const { text, where, differs, json } = await planner.plan(object, { ...given, connection })
      return { kind: 'object', plan: { where, differs, json, text: text((_, line) => line) } }
    },
  }))

const refusedFailure = (
  { described: { name }, plansCloud }: ServedPlanner,
  refusals: RefusedAttempts,
  network: AllowedNetwork,
): Failure => {
  const tried = refusals.list().join(', ')
  const reads = network === 'none' ? 'To let it read from its cloud, use --allow-reads. ' : ''
  const plans = !plansCloud ? 'To plan changes in its cloud, add planOf to its definition. ' : ''
  return failureOf(
    new Error(
      `cannot plan: ${name} ${tried}. A plan must not change anything. ${reads}${plans}To run the function for real, use trellis dev --function`,
    ),
  )
}

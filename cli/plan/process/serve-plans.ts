import { findProviders } from '../../../sandbox/providers/find-providers.ts'
import { systemClock } from '../../../shared/clock/clock.ts'
import type { ReadKubernetes } from '../../../shared/lifecycle/lifecycle.ts'
import { envName, type FunctionDefinition } from '../../../shared/runtime/runtime.ts'
import { patientConnections } from '../../../shared/runtime/start/patient-connections.ts'
import type { AllowedNetwork } from '../../confined/allowed-network.ts'
import type { RefusedAttempts } from '../../confined/refused-attempts.ts'
import { takeSend } from '../../confined/take-send.ts'
import { functionsToPlan } from '../functions-to-plan.ts'
import { planFunction } from '../planner.ts'
import { errorOf, type Failure, failureOf } from './failure.ts'
import type {
  FromProcess,
  PlannedFunction,
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
  { folders, network }: PlanProcessInput,
  channel: NodeJS.Process,
  refusals: RefusedAttempts,
): Promise<void> => {
  patientConnections()
  const post = takeSend(channel)
  const send = (message: FromProcess): void => {
    post?.(message)
  }
  const reads = new Map<number, PromiseWithResolvers<unknown>>()
  let lastRead = 0
  const ask = (read: SourceRead): Promise<unknown> => {
    const id = ++lastRead
    const answer = Promise.withResolvers<unknown>()
    reads.set(id, answer)
    send({ kind: 'read', id, read })
    return answer.promise
  }
  const kubernetes: ReadKubernetes = {
    // The command's answer has the type that the port promises.
    get: (resource, key) => ask({ verb: 'get', resource, key }) as ReturnType<ReadKubernetes['get']>,
    list: (resource, { signal: _, ...options } = {}) =>
      ask({ verb: 'list', resource, options }) as ReturnType<ReadKubernetes['list']>,
  }
  let functions: readonly FunctionDefinition[] = []

  const plan = async (id: number, { index, ...request }: PlanRequest): Promise<void> => {
    const definition = functions[index]
    if (definition === undefined) throw new RangeError(`there is no function ${index}`)
    refusals.clear()
    try {
      const { signal } = new AbortController()
      const made = await planFunction(definition, { ...request, kubernetes, clock: systemClock, signal })
      // The function may have swallowed the error, and then the plan would be wrong.
      send(
        refusals.list().length === 0
          ? { kind: 'planned', id, plan: made }
          : { kind: 'failed', id, failure: refusedFailure(definition, refusals, network) },
      )
    } catch (error) {
      const failure =
        refusals.list().length === 0 ? failureOf(error) : refusedFailure(definition, refusals, network)
      send({ kind: 'failed', id, failure })
    }
  }

  channel.on('disconnect', () => process.exit())
  channel.on('message', (message: ToProcess) => {
    switch (message.kind) {
      case 'plan':
        return void plan(message.id, message)
      case 'answer':
        reads.get(message.id)?.resolve(message.value)
        return void reads.delete(message.id)
      case 'refusal':
        reads.get(message.id)?.reject(errorOf(message.failure))
        return void reads.delete(message.id)
    }
  })
  try {
    functions = await functionsToPlan(folders, await findProviders())
    send({ kind: 'functions', functions: functions.map(described) })
  } catch (error) {
    send({ kind: 'unusable', failure: failureOf(error) })
  }
}

const described = (definition: FunctionDefinition): PlannedFunction => {
  const { name, kind, types, classes, permissions, ignoresSecret, settings } = definition
  const env = Object.keys(settings.shape).map(key => envName(key))
  return {
    name,
    kind,
    types,
    classes,
    permissions,
    env,
    ...(ignoresSecret !== undefined && { ignoresSecret }),
  }
}

const refusedFailure = (
  { name, planOf }: FunctionDefinition,
  refusals: RefusedAttempts,
  network: AllowedNetwork,
): Failure => {
  const tried = refusals.list().join(', ')
  const reads = network === 'none' ? 'To let it read from its cloud, use --allow-reads. ' : ''
  const plans = planOf === undefined ? 'To plan changes in its cloud, add planOf to its definition. ' : ''
  return failureOf(
    new Error(
      `cannot plan: ${name} ${tried}. A plan must not change anything. ${reads}${plans}To run the function for real, use trellis dev --function`,
    ),
  )
}

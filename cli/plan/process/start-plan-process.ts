import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../../../shared/clock/clock.ts'
import { envName } from '../../../shared/runtime/runtime.ts'
import type { AllowedNetwork } from '../../confined/allowed-network.ts'
import { confinedNode } from '../../confined/confined-node.ts'
import { endWithCommand } from '../../confined/end-with-command.ts'
import { type GivenSurroundings, type Planner, planText } from '../planner.ts'
import { errorOf, failureOf } from './failure.ts'
import {
  type CloudCallRequest,
  type FromProcess,
  messageProtocol,
  type PlannedFunction,
  type PlannedInProcess,
  type PlanProcessInput,
  type SendForPlan,
  type SourceRead,
  type ToProcess,
} from './messages.ts'

/** Limits the program of another version before it is loaded. */
const confinement = new URL('../../confined/confine-at-start.ts', import.meta.url).href
const ownProgram = fileURLToPath(new URL('./main.ts', import.meta.url))

/** The longest time to load a file, in ms. A file that takes longer has an endless loop or waits for something. */
const longestLoadMs = 60_000

/** The longest time for a plan, in ms. A step that takes longer has an endless loop, or waits forever. */
const longestPlanMs = 120_000

export interface PlanProcessOptions {
  /** The folders of `--function`. */
  readonly folders: readonly string[]
  /** Default: none. */
  readonly network?: AllowedNetwork
  /** The `main` of another version's process. Default: this version's. */
  readonly program?: string
  /**
   * The process also plans the kinds of all clouds. Its requests to them go to the `connection` of each plan, which is
   * a `SendForPlan`. Default: only functions without a cloud.
   */
  readonly clouds?: PlanProcessInput['clouds']
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  /** Ends the process, whose plans then fail with the reason of the signal. Default: never. */
  readonly signal?: AbortSignal
  readonly onOutput: (text: string) => void
}

export interface PlanProcess {
  /** The planners of functions that change only Kubernetes. Planners from the folders come first. */
  readonly planners: readonly Planner[]
  /** True if the process has ended, so that all further plans fail. */
  readonly hasEnded: () => boolean
  readonly close: () => void
}

/**
 * Starts a process that loads functions and runs their steps for plans. An author's function may try to change
 * anything, so the process cannot write or start programs, and reaches no network that the user does not allow. Throws
 * a `UsageError` or a `DefinitionError` for functions that cannot be used.
 */
export const startPlanProcess = async (options: PlanProcessOptions): Promise<PlanProcess> => {
  const { folders, network = 'none', program = ownProgram, clouds, clock, signal: limit, onOutput } = options
  const input: PlanProcessInput = { folders, network, ...(clouds && { clouds }) }
  const { command, args, env } = confinedNode(options.env, network)
  const limits = program === ownProgram ? [] : ['--import', confinement]
  const child = spawn(command, [...args, ...limits, program, JSON.stringify(input)], {
    // The child process could write to an inherited file descriptor.
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    serialization: 'advanced',
    env,
    killSignal: 'SIGKILL',
  })
  for (const output of [child.stdout, child.stderr]) output?.setEncoding('utf8').on('data', onOutput)
  const loaded = Promise.withResolvers<readonly PlannedFunction[]>()
  const plans = new Map<number, RunningPlan>()
  let count = 0
  let ended: Error | undefined
  let running: Promise<unknown> = Promise.resolve()
  const send = (message: ToProcess): void => {
    child.send(message, () => {})
  }
  endWithCommand(child)
  const end = (error: Error): void => {
    ended ??= error
    child.kill()
    for (const waiting of [loaded, ...[...plans.values()].map(({ plan }) => plan)]) waiting.reject(error)
  }
  // Prevents an unhandled rejection if the caller has stopped waiting.
  loaded.promise.catch(() => {})
  limit?.addEventListener('abort', () => end(limit.reason), { once: true })
  child.on('error', end)
  child.on('close', (code, signal) =>
    end(new Error(`the process that runs functions for plans ended (${signal ?? `exit code ${code}`})`)),
  )
  child.on('message', (message: FromProcess) => {
    switch (message.kind) {
      case 'functions':
        if (clouds !== undefined && message.protocol !== messageProtocol)
          return loaded.reject(new ProtocolError(message.protocol))
        return loaded.resolve(message.functions)
      case 'unusable':
        return loaded.reject(errorOf(message.failure))
      case 'planned':
        return plans.get(message.id)?.plan.resolve(message.plan)
      case 'failed':
        return plans.get(message.id)?.plan.reject(errorOf(message.failure))
      case 'read':
        return void answer(message, running => readBy(running, message.read))
      case 'call':
        return void answer(message, running => callBy(running, message))
    }
  })
  const answer = async (
    { id, plan }: { readonly id: number; readonly plan: number },
    work: (running: RunningPlan) => Promise<unknown>,
  ): Promise<void> => {
    const running = plans.get(plan)
    try {
      if (running === undefined) throw new Error('the process asked for a plan that has ended')
      send({ kind: 'answer', id, value: await work(running) })
    } catch (error) {
      send({ kind: 'refusal', id, failure: failureOf(error) })
    }
  }
  const planOf = async (
    index: number,
    object: Parameters<Planner['plan']>[0],
    { secret, cluster, env, destroy, kubernetes, connection, signal }: GivenSurroundings,
  ): Promise<PlannedInProcess> => {
    signal.throwIfAborted()
    if (ended !== undefined) throw ended
    const id = count++
    const plan = Promise.withResolvers<PlannedInProcess>()
    plans.set(id, { plan, kubernetes, connection, signal })
    send({ kind: 'plan', id, index, object, secret, cluster, env, destroy })
    const cancelPlan = clock.after(longestPlanMs, () =>
      end(new Error(`the steps of the function did not end within ${longestPlanMs / 1000} s`)),
    )
    try {
      return await plan.promise
    } finally {
      cancelPlan()
      plans.delete(id)
    }
  }
  const cancel = clock.after(longestLoadMs, () =>
    end(
      new Error(
        `the functions did not load within ${longestLoadMs / 1000} s. Look for an endless loop or a wait`,
      ),
    ),
  )
  try {
    const functions = await loaded.promise
    return {
      planners: functions.map(({ env: names, ...fn }, index) => ({
        ...fn,
        connect: async () => undefined,
        plan: async (object, surroundings) => {
          const known = Object.entries(surroundings.env).filter(
            ([name]) => names?.includes(name) ?? name.startsWith(envName('')),
          )
          const env = Object.fromEntries(known)
          // One at a time: the process cannot tell which of several plans has tried what is refused.
          const planned = running.then(() => planOf(index, object, { ...surroundings, env }))
          running = planned.catch(() => {})
          const made = await planned
          if (made.kind !== 'object') return planText(made, surroundings.destroy)
          const { text, ...plan } = made.plan
          return { ...plan, text: () => text }
        },
      })),
      hasEnded: () => ended !== undefined,
      close: () => void child.kill(),
    }
  } catch (error) {
    child.kill()
    throw error
  } finally {
    cancel()
  }
}

/** A process of a version that cannot plan the kinds of clouds. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
  constructor(protocol: number | undefined) {
    super(`its messages have version ${protocol ?? 'none'}, this version has ${messageProtocol}`)
  }
}

interface RunningPlan extends Pick<GivenSurroundings, 'kubernetes' | 'connection' | 'signal'> {
  readonly plan: PromiseWithResolvers<PlannedInProcess>
}

const callBy = ({ connection, signal }: RunningPlan, { provider, request }: CloudCallRequest) => {
  if (typeof connection !== 'function') return Promise.reject(new Error('a plan can only read'))
  return (connection as SendForPlan)({ provider, request }, signal)
}

const readBy = (
  { kubernetes, signal }: Pick<RunningPlan, 'kubernetes' | 'signal'>,
  read: SourceRead,
): Promise<unknown> => {
  const { group, version, plural } = read.resource
  // Anything else in a path could lead to a proxy of the API server.
  if (![group, version, plural].every(part => /^[a-z0-9.-]*$/.test(part)))
    return Promise.reject(new Error('a plan can only read resources'))
  switch (read.verb) {
    case 'get':
      return kubernetes.get(read.resource, read.key, { signal })
    case 'list':
      return kubernetes.list(read.resource, { ...read.options, signal })
    default:
      return Promise.reject(new Error('a plan can only read'))
  }
}

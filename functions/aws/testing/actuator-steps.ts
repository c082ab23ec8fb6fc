import { StandardRetryStrategy } from '@smithy/core/retry'
import type { Clock, VirtualClock } from '../../../shared/clock/clock.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { StepContext, StepResult } from '../../../shared/lifecycle/lifecycle.ts'
import { noKubernetes } from '../../../shared/lifecycle/testing/no-kubernetes.ts'
import type { Log } from '../../../shared/log/log.ts'
import type { AwsConnection, AwsRequestHandler } from '../../../terraform-free-infra/aws/account/aws.ts'

export const secretAccessKey = 'planted-secret-access-key'

/** Hooks around a call of a step. If one throws, the call ends without a response. */
export interface Interference {
  /** Called before the call takes effect. */
  readonly before?: (call: string) => void
  /** Called after the call took effect, before the response. */
  readonly after?: (call: string) => void
}

/** The connection of a process. The SDK sends each call at most `maxAttempts` times, without pauses. */
export const connectionOver = (
  requestHandler: AwsRequestHandler,
  { before, after }: Interference = {},
  maxAttempts = 1,
): AwsConnection => ({
  requestHandler: {
    handle: async (request, options) => {
      const call = `AWS ${request.hostname}`
      before?.(call)
      const answer = await requestHandler.handle(request, options)
      after?.(call)
      return answer
    },
  },
  retryStrategy: new StandardRetryStrategy({
    maxAttempts,
    backoff: { computeNextBackoffDelay: () => 0, setDelayBase: () => {} },
  }),
})

/** A log and its lines. */
export const notedLog = () => {
  const lines: { message: string; [field: string]: unknown }[] = []
  const write = (message: string, fields?: object) => void lines.push({ message, ...fields })
  const log: Log = { debug: write, info: write, warn: write, error: write }
  return { lines, log }
}

/** The context of a step without the lifecycle, with the fields of a test. */
export const stepContext = <O extends KubernetesObject>(
  fields: Pick<StepContext<O>, 'object' | 'log'> & Partial<StepContext<O>> & { readonly clock: Clock },
): StepContext<O> => ({
  operation: 'Reconcile',
  cluster: undefined,
  secret: undefined,
  signal: new AbortController().signal,
  throwIfExpired: () => {},
  kubernetes: noKubernetes,
  saveStatus: async () => {},
  ...fields,
})

/** Repeats the step until it is done. Returns its result and the descriptions of the waits. */
export const untilDone = async (clock: VirtualClock, step: (count: number) => Promise<StepResult>) => {
  const waits: string[] = []
  for (let count = 0; count < 60; count++) {
    const result = await step(count)
    if (result.kind === 'done') return { status: result.status, waits }
    waits.push(result.description)
    await clock.advance(result.afterMs)
  }
  throw new Error(`not done after 60 steps: ${waits.at(-1)}`)
}

import { StandardRetryStrategy } from '@smithy/core/retry'
import type { VirtualClock } from '../../../../shared/clock/clock.ts'
import type { Cluster } from '../../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { StepContext, StepKubernetes, StepResult } from '../../../../shared/lifecycle/lifecycle.ts'
import { noKubernetes } from '../../../../shared/lifecycle/testing/no-kubernetes.ts'
import type { Log } from '../../../../shared/log/log.ts'
import type { AwsRequestHandler } from '../../../../terraform-free-infra/aws/account/aws.ts'
import { bastionActuator } from '../actuator.ts'
import { type BastionParts, bastionOf, clusterOf, namespace } from './objects.ts'

export const secretAccessKey = 'planted-secret-access-key'

/** Hooks around a call of a step. If one throws, the call ends without a response. */
export interface Interference {
  /** Called before the call takes effect. */
  readonly before?: () => void
  /** Called after the call took effect, before the response. */
  readonly after?: () => void
}

export interface BastionSurroundings {
  readonly cluster?: Cluster
  readonly infrastructure?: KubernetesObject
  /** Null: no Secret exists. */
  readonly secret?: Readonly<Record<string, string>> | null
  /** Attempts of the SDK for each call. Default: 1. */
  readonly attempts?: number
  readonly waitScale?: number
}

/** A seed with one Bastion, and its steps as a process executes them. */
export const stepsOver = (
  requestHandler: AwsRequestHandler,
  clock: VirtualClock,
  parts: BastionParts = {},
  { cluster = clusterOf(), infrastructure, secret, attempts = 1, waitScale }: BastionSurroundings = {},
) => {
  const lines: { message: string; [field: string]: unknown }[] = []
  const write = (message: string, fields?: object) => void lines.push({ message, ...fields })
  const log: Log = { debug: write, info: write, warn: write, error: write }
  const data = secret === undefined ? { accessKeyID: 'AKIAEXAMPLE', secretAccessKey } : secret
  const get: StepKubernetes['get'] = async ({ plural }, { name }) => {
    if (plural === 'infrastructures')
      return infrastructure?.metadata.name === name ? infrastructure : undefined
    if (plural !== 'secrets' || name !== 'cloudprovider' || data === null) return undefined
    return {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace },
      data: Object.fromEntries(Object.entries(data).map(([key, value]) => [key, btoa(value)])),
    }
  }
  let object = bastionOf(parts)

  /** Executes one step in a new process. Throws the errors of the step. */
  const step = async (
    operation: 'reconcile' | 'remove',
    { before, after }: Interference = {},
    options: { readonly throwIfExpired?: () => void } = {},
  ): Promise<StepResult> => {
    const actuator = bastionActuator({
      clock,
      waitScale,
      connection: {
        requestHandler: {
          handle: async (request, handlerOptions) => {
            before?.()
            const answer = await requestHandler.handle(request, handlerOptions)
            after?.()
            return answer
          },
        },
        retryStrategy: new StandardRetryStrategy({
          maxAttempts: attempts,
          backoff: { computeNextBackoffDelay: () => 0, setDelayBase: () => {} },
        }),
      },
    })
    const context: StepContext<typeof object> = {
      object,
      operation: 'Reconcile',
      cluster,
      secret: undefined,
      signal: new AbortController().signal,
      throwIfExpired: options.throwIfExpired ?? (() => {}),
      clock,
      log,
      // A step only reads.
      kubernetes: { ...noKubernetes, get },
      saveStatus: async () => {},
    }
    if (operation === 'remove') return actuator.remove(context)
    await actuator.check?.(context)
    await actuator.validate?.(context)
    return actuator.reconcile(context)
  }

  return {
    step,
    /** Repeats the step until it is done. Returns the result and the messages of the waits. */
    until: async (operation: 'reconcile' | 'remove') => {
      const waits: string[] = []
      for (let count = 0; count < 30; count++) {
        const result = await step(operation)
        if (result.kind === 'done') return { status: result.status, waits }
        waits.push(result.description)
        await clock.advance(result.afterMs)
      }
      throw new Error(`not done after 30 steps: ${waits.at(-1)}`)
    },
    lines,
    /** Replaces the spec, as gardenlet patches it. */
    change: (next: BastionParts) => {
      object = { ...object, ...bastionOf(next) }
    },
  }
}

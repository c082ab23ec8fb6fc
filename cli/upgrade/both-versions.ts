import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { codesOf } from '../../shared/contract/classify.ts'
import type { Kubernetes, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { ConnectionError, KubernetesError } from '../../shared/kubernetes/kubernetes.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import { planOne } from '../plan/plan-one.ts'
import { type PlannedKind, plannedKindsOf } from '../plan/planned-kinds.ts'
import {
  type PlanProcessOptions,
  ProtocolError,
  startPlanProcess,
} from '../plan/process/start-plan-process.ts'
import { readOnce } from '../survey/survey.ts'
import type { ObjectCalls } from './cloud-calls.ts'
import { type FoundVersion, tooOld } from './library-package.ts'

/** The planners of one version, in a process of its own. */
export interface PlanningVersion {
  readonly title: string
  /** Returns its kinds. Starts another process if the last one has ended. */
  readonly planned: () => Promise<readonly PlannedKind[]>
  readonly hasEnded: () => boolean
  readonly close: () => void
}

/** Starts the process of a version. Throws a `UsageError` if it cannot plan the kinds of clouds. */
export const openVersion = async (
  { title, program }: FoundVersion,
  options: Omit<PlanProcessOptions, 'program' | 'folders' | 'network'> & { readonly flag: string },
): Promise<PlanningVersion> => {
  const start = async () => {
    try {
      return await startPlanProcess({ ...options, folders: [], program })
    } catch (error) {
      const why = error instanceof ProtocolError ? tooOld(title) : messageOf(error)
      throw new UsageError(`${options.flag}: cannot load version ${title}: ${why}`, { cause: error })
    }
  }
  let running = await start()
  return {
    title,
    planned: async () => {
      if (running.hasEnded()) running = await start()
      return plannedKindsOf(running.planners)
    },
    hasEnded: () => running.hasEnded(),
    close: () => running.close(),
  }
}

/**
 * The answer of a version for an object. `isUnknown`: the reads failed, so its code has not decided. `isDenied`: the
 * cloud has refused the credentials, or a permission is missing.
 */
export type VersionOutcome =
  | { readonly kind: 'planned'; readonly json: object }
  | { readonly kind: 'unsupported' }
  | {
      readonly kind: 'refused'
      readonly error: string
      readonly isUnknown: boolean
      readonly isDenied: boolean
    }

export interface PlanBothInput {
  readonly versions: readonly [from: PlanningVersion, to: PlanningVersion]
  readonly kubernetes: Kubernetes
  readonly calls: ObjectCalls
  readonly env: Readonly<Record<string, string | undefined>>
  readonly signal: AbortSignal
}

/** Plans an object with two versions at the same time. Both get the same answers to the same reads. */
export const planBoth = async (
  object: KubernetesObject,
  { versions: [from, to], calls, ...input }: PlanBothInput,
): Promise<readonly [from: VersionOutcome, to: VersionOutcome]> => {
  const kubernetes = readOnce(input.kubernetes)
  const outcomes = await Promise.all([
    outcomeOf(from, object, { ...input, kubernetes, calls }),
    outcomeOf(to, object, { ...input, kubernetes, calls }),
  ])
  if (calls.refused().length > 0)
    throw new Error(`cannot plan: a plan must not change anything, and it ${calls.refused().join(', ')}`)
  return outcomes
}

const outcomeOf = async (
  version: PlanningVersion,
  object: KubernetesObject,
  { kubernetes, calls, env, signal }: Omit<PlanBothInput, 'versions'>,
): Promise<VersionOutcome> => {
  const planned = await version.planned()
  if (!planned.some(({ kind }) => kind === object.kind)) return { kind: 'unsupported' }
  try {
    const { plan } = await planOne(object, {
      planned,
      kubernetes,
      env,
      signal,
      connect: async () => calls.send,
    })
    return { kind: 'planned', json: plan.json }
  } catch (error) {
    signal.throwIfAborted()
    const { cause = error } = Object(error) as { readonly cause?: unknown }
    return {
      kind: 'refused',
      error: messageOf(error),
      isUnknown: version.hasEnded() || calls.hasUnanswered() || isUnread(cause),
      isDenied: codesOf(cause).some(code => /^ERR_INFRA_UNAUTH/.test(code)),
    }
  }
}

/** An error of a read. Other errors are decisions of the code. */
const isUnread = (cause: unknown): boolean =>
  cause instanceof ConnectionError ||
  cause instanceof KubernetesError ||
  codesOf(cause).includes('ERR_INFRA_RATE_LIMITS_EXCEEDED')

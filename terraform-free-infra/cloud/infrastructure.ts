import { type Clock, followSignal } from '../../shared/clock/clock.ts'
import type { CodedError } from '../../shared/contract/errors.ts'
import type { Cluster, Infrastructure } from '../../shared/contract/objects.ts'
import {
  type Actuator,
  continueAfter,
  done,
  orphaning,
  type StepContext,
  type StepResult,
} from '../../shared/lifecycle/lifecycle.ts'
import { messageOf } from '../../shared/text/message-of.ts'
import type { Applied, Plan, RetainedThing } from '../engine/engine.ts'

/** The Infrastructure of any cloud: the operations of one step, and the actuator that calls them. */

export interface InfrastructureApplyOptions {
  /** Writes a merge patch of `status.state`, which must survive a crash. Calls never overlap. */
  readonly save: (state: object) => Promise<void>
  /** True if there was no new request since the last step. */
  readonly resumed: boolean
  /** Called with the sentences of the actions before the first one is applied. Not called without actions. */
  readonly onActions: (sentences: readonly string[]) => void
}

/** `blocked`: the error that `remove` would throw instead, because of something of others. */
export type InfrastructurePlan<Cloud> = Plan<Cloud> & { readonly blocked?: CodedError }

type Continued = Extract<Applied, { readonly kind: 'continue' }>

interface InfrastructureDone<Status> {
  readonly kind: 'done'
  /** Resources that look like ours but are not proved to be. They were not changed. */
  readonly left: readonly RetainedThing[]
  /** A merge patch of the object's `status`. */
  readonly status: NetworkStatus & { readonly providerStatus: Status; readonly state: object }
}

/**
 * The operations of one step for the infrastructure of a shoot. They share their reads, so the plan does not repeat
 * those of the check. Errors have no codes of Gardener yet.
 */
export interface InfrastructureStep<Cloud, Status = object> {
  /**
   * Throws a `CodedError` for problems of the config for this shoot, and of the user's resources that it names. A
   * resumed step (`resumed`) reads nothing again.
   */
  validate(options: { readonly resumed: boolean }): Promise<void>
  /** Returns the plan that `reconcile`, or with `destroy` `remove`, would apply. Changes nothing. */
  plan(options?: { readonly destroy?: boolean }): Promise<InfrastructurePlan<Cloud>>
  reconcile(options: InfrastructureApplyOptions): Promise<Continued | InfrastructureDone<Status>>
  /**
   * Deletes the last applied infrastructure. Throws a `CodedError` if something of others is in the way, or if
   * credentials and state are of different accounts. `nothing made`: there is no state, and these credentials cannot
   * have created anything.
   */
  remove(
    options: InfrastructureApplyOptions,
  ): Promise<
    | Continued
    | { readonly kind: 'done'; readonly left: readonly RetainedThing[] }
    | { readonly kind: 'nothing made' }
  >
  /**
   * Returns a merge patch of the state that another object needs to take over all resources. Empty: nothing is made. If
   * resources cannot be read, it rejects, or calls `onFailure` and returns what is known.
   */
  collect(onFailure: (error: unknown) => void): Promise<object>
}

/** The part of a merge patch on `status` that holds the networks. Null removes an outdated value. */
export interface NetworkStatus {
  readonly networking: {
    readonly nodes: readonly string[] | null
    readonly pods: readonly string[] | null
    readonly services: readonly string[] | null
  }
  readonly egressCIDRs: readonly string[] | null
}

/** Returns each value once, in the given order. Returns null if there is no value. */
export const listOf = (...values: readonly (string | undefined)[]): readonly string[] | null => {
  const known = values.filter((value): value is string => value !== undefined && value !== '')
  return known.length === 0 ? null : [...new Set(known)]
}

type InfrastructureContext = StepContext<Infrastructure>

/** The parts of a step from which its request is made. */
export type RequestSource = Pick<
  InfrastructureContext,
  'object' | 'cluster' | 'secret' | 'signal' | 'throwIfExpired'
>

/** Returns the parts of a request that are the same for all clouds. `state` and `providerConfig` are not decoded. */
export const requestPartsOf = ({
  object: { metadata, spec, status },
  ...step
}: Omit<RequestSource, 'cluster'>) => ({
  uid: metadata.uid ?? '',
  region: spec.region,
  sshPublicKey: spec.sshPublicKey,
  providerConfig: spec.providerConfig as unknown,
  state: status?.state as unknown,
  secret: step.secret,
  signal: step.signal,
  throwIfExpired: step.throwIfExpired,
})

export type RequestParts = Readonly<ReturnType<typeof requestPartsOf>>

/** Returns the networks of a shoot. Null counts as absent, as in Go. */
export const shootNetworksOf = (cluster: Cluster | undefined) => {
  const networking = cluster?.spec.shoot.spec?.networking
  return {
    ipFamilies: networking?.ipFamilies ?? undefined,
    nodes: networking?.nodes || undefined,
    pods: networking?.pods || undefined,
    services: networking?.services || undefined,
  }
}

/** The dependencies of an actuator. */
export interface InfrastructureDeps<Connection> {
  readonly connection: Connection
  readonly clock: Clock
  /** Scales the waits between steps. 1 suits a real cloud. */
  readonly waitScale?: number | undefined
}

interface CloudInfrastructure<Cloud, Status>
  extends Required<Pick<Actuator<Infrastructure>, 'check' | 'orphans'>> {
  /** The name of the cloud, in messages. */
  readonly cloud: string
  readonly clock: Clock
  /** Scales the waits between steps. 1 suits a real cloud. */
  readonly waitScale: number
  readonly begin: (step: InfrastructureContext) => InfrastructureStep<Cloud, Status>
  /** The marks of a resource, which identify it without a state: `tags in the account`. */
  readonly marks: string
  /** Adds Gardener's codes to a rejection. */
  readonly coded: <T>(step: InfrastructureContext, work: Promise<T>) => Promise<T>
  /** Called with each patch of the state before it is written. */
  readonly onSave?: (step: InfrastructureContext, patch: object) => void
  /** Returns the result of a reconcile. Default: a warning for the resources that were left, and the status. */
  readonly reconciled?: (step: InfrastructureContext, outcome: InfrastructureDone<Status>) => StepResult
}

/** The maximal wait of a migration for the cloud, in ms. */
const collectLimitMs = 20_000

/**
 * Returns the actuator of Infrastructures. Restore reconciles with the migrated state, as the lifecycle does by default.
 * Migrate and forced deletion orphan all resources.
 */
export const infrastructureFlow = <Cloud, Status>({
  cloud,
  clock,
  waitScale,
  begin,
  marks,
  coded,
  onSave,
  reconciled = (step, { left, status }) => {
    warnOfLeft(step, left)
    return done({ ...status })
  },
  check,
  orphans,
}: CloudInfrastructure<Cloud, Status>): Actuator<Infrastructure> => {
  // The check and the plan of a step share its reads. Another step never sees them.
  const begun = new WeakMap<InfrastructureContext, InfrastructureStep<Cloud, Status>>()
  const workOf = (step: InfrastructureContext): InfrastructureStep<Cloud, Status> => {
    const work = begun.get(step) ?? begin(step)
    begun.set(step, work)
    return work
  }

  const applyOptions = (step: InfrastructureContext): InfrastructureApplyOptions => ({
    save: async state => {
      onSave?.(step, state)
      await step.saveStatus({ state })
    },
    resumed: step.resumed ?? false,
    onActions: actions => step.log.info('infrastructure differs', { actions }),
  })

  const pause = ({ afterMs, progress, description }: Continued): StepResult =>
    continueAfter(afterMs * waitScale, progress, description)

  const reconcile = async (step: InfrastructureContext): Promise<StepResult> => {
    const outcome = await workOf(step).reconcile(applyOptions(step))
    return outcome.kind === 'continue' ? pause(outcome) : reconciled(step, outcome)
  }

  const remove = async (step: InfrastructureContext): Promise<StepResult> => {
    const outcome = await workOf(step).remove(applyOptions(step))
    if (outcome.kind === 'continue') return pause(outcome)
    if (outcome.kind === 'nothing made') step.log.info('nothing was created; nothing to delete')
    else warnOfLeft(step, outcome.left)
    return done()
  }

  /**
   * Adds to the state each owned resource that an interrupted step did not record, because the state moves with the
   * shoot. If the cloud does not answer, the migration continues: the state has the uid of the marks, and nothing may
   * block a migration.
   */
  const migrate = async (step: InfrastructureContext): Promise<StepResult> => {
    const limited = followSignal(step.signal)
    const cancel = clock.after(collectLimitMs, () =>
      limited.abort(new Error(`${cloud} did not answer in time`)),
    )
    const warn = (error: unknown) =>
      step.log.warn(`unrecorded resources cannot be collected; ${marks} identify them later`, {
        error: messageOf(error),
      })
    // An unreadable state is migrated unchanged.
    const collected = async (): Promise<object> => begin({ ...step, signal: limited.signal }).collect(warn)
    try {
      const state = await collected().catch((error: unknown) => {
        warn(error)
        return {}
      })
      step.signal.throwIfAborted()
      return Object.keys(state).length === 0 ? done() : done({ state })
    } finally {
      cancel()
      limited.release()
    }
  }

  return {
    migrate,
    check,
    validate: step => coded(step, workOf(step).validate({ resumed: step.resumed ?? false })),
    reconcile: step => coded(step, reconcile(step)),
    remove: step => coded(step, remove(step)),
    forceRemove: async () => orphaning(`a forced deletion does not call ${cloud}`),
    orphans,
  }
}

export const warnOfLeft = ({ log }: Pick<InfrastructureContext, 'log'>, left: readonly RetainedThing[]) => {
  if (left.length > 0) log.warn('resources are orphaned', { resources: left })
}

import type { Clock } from '../../../shared/clock/clock.ts'
import type { Secret } from '../../../shared/lifecycle/lifecycle.ts'
import {
  type Applied,
  type Graph,
  graphOf,
  type LeftAlone,
  type Plan,
  planGraph,
  type Read,
  reader,
  reconcileGraph,
  type State,
} from '../../engine/engine.ts'
import type { AwsConnection } from '../client/client.ts'
import { createAccess } from '../credentials/access.ts'
import { checkForShoot, checkInAccount, readConfig } from './check.ts'
import { type AwsCloud, sdkCloud } from './cloud.ts'
import type { InfrastructureConfig } from './config/config.ts'
import {
  type DesiredInfrastructure,
  desiredInfrastructure,
  type ShootIdentity,
} from './desired-infrastructure.ts'
import { errorKindOf } from './error-kind-of.ts'
import { infrastructureGraph } from './graph.ts'
import { type NetworkReads, networkReads } from './network/reads.ts'
import { isNothingMade, stateCodec, statePatch } from './state.ts'
import { type InfrastructureStatus, type NetworkStatus, networkStatusOf, providerStatusOf } from './status.ts'

export { markTag } from '../tags/mark-tag.ts'
export { checkInfrastructure } from './check.ts'
export type { AwsCloud } from './cloud.ts'
export { apiVersion, type InfrastructureConfig } from './config/config.ts'
export { decodeConfig } from './config/decode.ts'
export {
  type DesiredInfrastructure,
  desiredInfrastructure,
  type ShootIdentity,
} from './desired-infrastructure.ts'
export type { ShootFacts } from './shoot.ts'
export { withErrorCodes } from './with-error-codes.ts'

/** The infrastructure of one shoot, and what it takes to reach AWS for it, for one step. */
export interface InfrastructureRequest extends ShootIdentity {
  /** `spec.providerConfig` */
  readonly providerConfig: unknown
  /** `status.state`, as it is stored. */
  readonly state: unknown
  readonly secret: Secret | undefined
  readonly signal: AbortSignal
  readonly throwIfExpired: () => void
}

export interface InfrastructureApplyOptions {
  /** Writes down a merge patch on `status.state`: what must survive a crash. Never called twice at a time. */
  readonly save: (state: object) => Promise<void>
  /** Nothing has been asked for since the last step. */
  readonly resumed: boolean
  /** With the sentences of the actions, before the first of them; not called when there are none. */
  readonly onActions: (sentences: readonly string[]) => void
}

type Continued = Extract<Applied, { readonly kind: 'continue' }>

export type InfrastructureReconciled =
  | Continued
  | {
      readonly kind: 'done'
      /** What looks like ours and was left as it is. */
      readonly left: readonly LeftAlone[]
      /** A merge patch on the `status` of the object. */
      readonly status: NetworkStatus & {
        readonly providerStatus: InfrastructureStatus
        readonly state: object
      }
    }

export type InfrastructureRemoved =
  | Continued
  | { readonly kind: 'done'; readonly left: readonly LeftAlone[] }
  /** Nothing has been asked of AWS. */
  | { readonly kind: 'nothing made' }

/**
 * What one step does for the infrastructure of a shoot. Its parts share what they read in the account: what the check
 * has looked at, the plan does not look at again. What is thrown gets Gardener's codes by `withErrorCodes`.
 */
export interface InfrastructureStep {
  /**
   * Throws a `CodedError` for what is wrong with the config for this shoot, and with that of the user's account which it
   * names. A step that only goes on (`resumed`) does not ask AWS again.
   */
  validate(options: { readonly resumed: boolean }): Promise<void>
  /** What `reconcile`, or with `destroy` `remove`, would do: the very plan that it applies. Changes nothing. */
  plan(options?: { readonly destroy?: boolean }): Promise<Plan<AwsCloud>>
  reconcile(options: InfrastructureApplyOptions): Promise<InfrastructureReconciled>
  /**
   * Where no step has ever come so far as to make something, also for want of good credentials, nothing is asked of AWS.
   */
  remove(options: InfrastructureApplyOptions): Promise<InfrastructureRemoved>
}

export type BeginStep = (request: InfrastructureRequest) => InfrastructureStep

/** Makes the `BeginStep` of a process: connections and sessions of workload identities outlive the steps. */
export const createInfrastructure = ({
  connection,
  clock,
}: {
  readonly connection: AwsConnection
  readonly clock: Clock
}): BeginStep => {
  const open = createAccess(connection, clock)

  return request => {
    const { providerConfig, region, secret, shoot, signal, throwIfExpired } = request

    /** Throws a `CodedError` when the Secret is no good. */
    const connect = async (): Promise<AwsCloud> => {
      const { settings, secrets } = await open({ secret, region, signal })
      return sdkCloud(settings, { throwIfExpired, signal, secrets })
    }

    const newPlanContext = async (): Promise<PlanContext> => {
      const stored = stateCodec.decode(request.state)
      const config = readConfig(providerConfig)
      const { desired, state } = desiredInfrastructure(request, config, stored)
      const cloud = await connect()
      return {
        stored,
        config,
        desired,
        state,
        cloud,
        signal,
        reads: networkReads(desired),
        read: reader({ cloud, state, signal }),
      }
    }
    let known: Promise<PlanContext> | undefined
    const planContext = (): Promise<PlanContext> => {
      known ??= newPlanContext()
      return known
    }

    const towardsDesired = async (): Promise<PlanTarget> => {
      const { stored, desired, state, cloud, reads, read } = await planContext()
      return { stored, state, cloud, read, graph: infrastructureGraph(desired, {}, reads) }
    }

    /** A graph without resources where nothing was made. */
    const towardsNothing = async (): Promise<PlanTarget> => {
      const stored = stateCodec.decode(request.state)
      if (isNothingMade(stored)) {
        // As for what is there: without credentials nobody can say that nothing is.
        return { stored, state: stored, cloud: await connect(), graph: graphOf<AwsCloud>().build() }
      }
      const config = readConfig(providerConfig, { lenient: true })
      const { desired, state } = desiredInfrastructure(request, config, stored)
      const graph = infrastructureGraph(desired, { destroying: true })
      return { stored, state, cloud: await connect(), graph }
    }

    const apply = (
      { stored, ...target }: PlanTarget,
      destroy: boolean,
      { save, resumed, onActions }: InfrastructureApplyOptions,
    ) => {
      const saveState = (next: State, removed: readonly string[]) => save(statePatch(next, removed))
      return reconcileGraph({
        ...target,
        uid: request.uid,
        save: saveState,
        errorKindOf,
        clock,
        signal,
        throwIfExpired,
        destroy,
        resumed,
        onPlan: async ({ actions }) => {
          if (actions.length === 0) return
          onActions(actions.map(({ sentence }) => sentence))
          // Before the first thing is made: from now on a deletion has to look, whatever becomes of this process.
          if (isNothingMade(stored)) await saveState(target.state, [])
        },
      })
    }

    return {
      validate: async ({ resumed }) => {
        const config = readConfig(providerConfig)
        checkForShoot(config, request, stateCodec.decode(request.state))
        if (!resumed) await checkInAccount({ ...(await planContext()), nodes: shoot.networking.nodes })
      },

      plan: async ({ destroy = false } = {}) => {
        const target = await (destroy ? towardsNothing() : towardsDesired())
        return planGraph({ ...target, clock, signal, destroy })
      },

      reconcile: async options => {
        const outcome = await apply(await towardsDesired(), false, options)
        if (outcome.kind === 'continue') return outcome
        const { state, left } = outcome
        const status = {
          providerStatus: providerStatusOf(state, readConfig(providerConfig)),
          state: statePatch(state),
          ...networkStatusOf(state, shoot.networking),
        }
        return { kind: 'done', left, status }
      },

      remove: async options => {
        const target = await towardsNothing()
        if (isNothingMade(target.stored)) return { kind: 'nothing made' }
        const outcome = await apply(target, true, options)
        return outcome.kind === 'continue' ? outcome : { kind: 'done', left: outcome.left }
      },
    }
  }
}

/** What a step goes by towards what is desired: that, the account, and what it has read there so far. */
interface PlanContext {
  readonly config: InfrastructureConfig
  readonly desired: DesiredInfrastructure
  /** Decoded, as it was stored. */
  readonly stored: State
  /** With what `desired` was made with. */
  readonly state: State
  readonly cloud: AwsCloud
  readonly signal: AbortSignal
  readonly reads: NetworkReads
  readonly read: Read<AwsCloud>
}

/** Where a step goes to, and from what state. */
interface PlanTarget
  extends Pick<PlanContext, 'stored' | 'state' | 'cloud'>,
    Partial<Pick<PlanContext, 'read'>> {
  readonly graph: Graph<AwsCloud>
}

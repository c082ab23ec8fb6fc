import type { Clock } from '../../../shared/clock/clock.ts'
import { CodedError } from '../../../shared/contract/errors.ts'
import type { Secret } from '../../../shared/lifecycle/lifecycle.ts'
import {
  type Applied,
  collectGraph,
  type Graph,
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
import { accountIdOf } from '../credentials/account-id.ts'
import { markTag } from '../tags/mark-tag.ts'
import { checkForShoot, checkInAccount, readConfig } from './check.ts'
import { type AwsCloud, sdkCloud } from './cloud.ts'
import type { InfrastructureConfig } from './config/config.ts'
import { lastApplied } from './deletion/last-applied.ts'
import { markedResources } from './deletion/marked-resources.ts'
import { stillThere, witnessesIn } from './deletion/witness.ts'
import {
  type DesiredInfrastructure,
  desiredInfrastructure,
  type ShootIdentity,
} from './desired-infrastructure.ts'
import { errorKindOf } from './error-kind-of.ts'
import { infrastructureGraph } from './graph.ts'
import { deletionConfigKey, deletionKey } from './identity/identity-reads.ts'
import { type NetworkReads, networkReads } from './network/reads.ts'
import { accountOf, createdForKey, isNothingMade, stateCodec, statePatch, withAccount } from './state.ts'
import { type InfrastructureStatus, type NetworkStatus, networkStatusOf, providerStatusOf } from './status.ts'
import { errorCodesOf } from './with-error-codes.ts'

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
  /** There is no state, and AWS lets these credentials do nothing. */
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
   * Deletes what was applied last. Ends only once AWS has said of something recorded that it is gone, and nothing carries
   * the mark of the shoot any more. Throws a `CodedError` where the credentials are of another account than the state.
   * Without a state, credentials that may do nothing have made nothing.
   */
  remove(options: InfrastructureApplyOptions): Promise<InfrastructureRemoved>
  /**
   * What the state has to have so that another object can go on with all that is there. A merge patch on it. Where the
   * account cannot be read, which `onFailure` gets to know, it has the uid by which the next one finds the marks.
   */
  collect(onFailure: (error: unknown) => void): Promise<object>
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
    const connect = async (): Promise<Connected> => {
      const { settings, secrets } = await open({ secret, region, signal })
      let account: Promise<string> | undefined
      return {
        cloud: sdkCloud(settings, { throwIfExpired, signal, secrets }),
        accountId: () => {
          account ??= accountIdOf(settings, { signal, secrets })
          return account
        },
      }
    }

    const newPlanContext = async (): Promise<PlanContext> => {
      const stored = stateCodec.decode(request.state)
      const config = readConfig(providerConfig)
      const { desired, state } = desiredInfrastructure(request, config, stored)
      const { cloud, accountId } = await connect()
      return {
        accountId,
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
      const { stored, desired, state, cloud, reads, read, accountId } = await planContext()
      const graph = infrastructureGraph(desired, {}, reads)
      const account = accountOf(stored) ?? (desired.stateless ? await accountId() : undefined)
      return { desired, state: stored, record: withAccount(state, account), cloud, read, graph }
    }

    /** The same in each step of a deletion. */
    const configOfDeletion = async (cloud: AwsCloud, stored: State): Promise<InfrastructureConfig> => {
      const { [deletionConfigKey]: begun } = stored
      if (begun !== undefined) return readConfig(JSON.parse(begun), { lenient: true })
      const spec = readConfig(providerConfig, { lenient: true })
      const { desired } = desiredInfrastructure(request, spec, stored)
      return lastApplied(desired, spec, stored, { cloud, signal })
    }

    const towardsNothing = async (
      { cloud }: Connected,
      stored: State,
      { managed = false }: { readonly managed?: boolean } = {},
    ): Promise<PlanTarget> => {
      const applied = await configOfDeletion(cloud, stored)
      const config = managed ? withManagedVpc(applied) : applied
      const { desired, state } = desiredInfrastructure(request, config, stored)
      const witnesses = stored[deletionKey] ?? witnessesIn(desired, stored)
      return {
        desired,
        state: stored,
        record: {
          ...withAccount(state, accountOf(stored)),
          [deletionKey]: witnesses,
          [deletionConfigKey]: JSON.stringify(applied),
        },
        cloud,
        graph: infrastructureGraph(desired, { destroying: true }),
        adopt: stored[deletionKey] === undefined,
      }
    }

    const apply = (
      { desired, ...target }: PlanTarget,
      destroy: boolean,
      { save, resumed, onActions }: InfrastructureApplyOptions,
    ) =>
      reconcileGraph({
        ...target,
        uid: desired.uid,
        save: (next, removed) => save(statePatch(next, removed)),
        errorKindOf,
        clock,
        signal,
        throwIfExpired,
        destroy,
        resumed,
        onPlan: ({ actions }) => {
          if (actions.length > 0) onActions(actions.map(({ sentence }) => sentence))
        },
      })

    /** Throws where the state is of another account: there is nothing of the shoot in this one. */
    const checkAccount = async (stored: State, accountId: Connected['accountId']): Promise<void> => {
      const expected = accountOf(stored)
      if (expected === undefined) return
      const found = await accountId()
      if (found === expected) return
      throw new CodedError(
        `spec.secretRef: expected credentials of the AWS account ${expected}, where the infrastructure of the shoot is, found credentials of the account ${found}; put back a key of ${expected}`,
        { codes: ['ERR_CONFIGURATION_PROBLEM'] },
      )
    }

    /** Whether credentials without a state behind them may do nothing: then they have made nothing. */
    const isShutOut = async (connected: Connected): Promise<boolean> => {
      try {
        await connected.accountId()
        await planGraph({ ...(await towardsNothing(connected, {})), clock, signal, destroy: true })
        return false
      } catch (error) {
        const codes = errorCodesOf(error)
        if (codes.length > 0 && codes.every(code => shutOutCodes.has(code))) return true
        throw error
      }
    }

    /** Ends a deletion that has nothing left to do, or throws why it may not end. */
    const confirmRemoved = async (
      { cloud, desired, record = {} }: PlanTarget,
      { save }: InfrastructureApplyOptions,
    ): Promise<void> => {
      const marked = await markedResources(cloud, desired, signal)
      if (marked.length > 0)
        throw new Error(
          `deleting the infrastructure: these carry the mark of the shoot and are still there: ${marked.join(', ')}; delete them, or take away their tag ${markTag}`,
        )
      const there = await stillThere({ cloud, desired, signal }, record[deletionKey] ?? '')
      if (Object.keys(there).length === 0) return
      // From the beginning: what else is said to be gone may be there, too.
      await save(statePatch(there, [deletionKey, deletionConfigKey]))
      throw new Error(
        `deleting the infrastructure: ${Object.values(there).join(', ')} was deleted and is still there; deleting it again`,
      )
    }

    return {
      validate: async ({ resumed }) => {
        const config = readConfig(providerConfig)
        checkForShoot(config, request, stateCodec.decode(request.state))
        if (resumed) return
        const context = await planContext()
        const { stored, desired, reads, read, accountId } = context
        // A first step records the account. EC2 and STS refuse a bad key with codes of their own: both are reported.
        const [vpcs] = await withAllFailures(read(reads.vpcs), desired.stateless ? accountId() : undefined)
        // The VPC shows without another call whether the account is the right one.
        const isThere = vpcs.some(({ VpcId }) => VpcId === stored.VPC)
        if (!isThere) await checkAccount(stored, accountId)
        await checkInAccount({ ...context, nodes: shoot.networking.nodes })
      },

      plan: async ({ destroy = false } = {}) => {
        if (!destroy) return planGraph({ ...(await towardsDesired()), clock, signal })
        const stored = stateCodec.decode(request.state)
        const connected = await connect()
        await checkAccount(stored, connected.accountId)
        return planGraph({ ...(await towardsNothing(connected, stored)), clock, signal, destroy })
      },

      reconcile: async options => {
        const outcome = await apply(await towardsDesired(), false, options)
        if (outcome.kind === 'continue') return outcome
        const { left } = outcome
        const state = withAccount(outcome.state, accountOf(outcome.state))
        const status = {
          providerStatus: providerStatusOf(state, readConfig(providerConfig)),
          state: statePatch(state),
          ...networkStatusOf(state, shoot.networking),
        }
        return { kind: 'done', left, status }
      },

      remove: async options => {
        const stored = stateCodec.decode(request.state)
        const connected = await connect()
        if (isNothingMade(stored)) {
          if (await isShutOut(connected)) return { kind: 'nothing made' }
        } else if (!options.resumed) await checkAccount(stored, connected.accountId)
        const target = await towardsNothing(connected, stored)
        const outcome = await apply(target, true, options)
        if (outcome.kind === 'continue') return outcome
        const marked = await markedResources(connected.cloud, target.desired, signal)
        if (marked.length > 0 && target.desired.vpc.kind === 'existing') {
          const before = await towardsNothing(connected, outcome.state, { managed: true })
          const next = await apply(before, true, { ...options, resumed: false })
          if (next.kind === 'continue') return next
        }
        await confirmRemoved(target, options)
        return { kind: 'done', left: outcome.left }
      },

      collect: async onFailure => {
        const stored = stateCodec.decode(request.state)
        const marks = { [createdForKey]: stored[createdForKey] ?? request.uid }
        if (isNothingMade(stored)) return {}
        try {
          const { desired, state, cloud, reads, read } = await planContext()
          const graph = infrastructureGraph(desired, {}, reads)
          const found = await collectGraph({ graph, cloud, state, signal, read })
          return statePatch({ ...found, ...marks })
        } catch (error) {
          onFailure(error)
          return statePatch(marks)
        }
      },
    }
  }
}

interface Connected {
  readonly cloud: AwsCloud
  /** Asked for once at most. */
  readonly accountId: () => Promise<string>
}

const shutOutCodes: ReadonlySet<string> = new Set(['ERR_INFRA_UNAUTHENTICATED', 'ERR_INFRA_UNAUTHORIZED'])

/** Waits for both, and throws what failed: one error as it is, both as an `AggregateError`. */
const withAllFailures = async <A, B>(
  first: Promise<A>,
  second: Promise<B> | undefined,
): Promise<[A, B | undefined]> => {
  const failed = (await Promise.allSettled([first, second])).flatMap(one =>
    one.status === 'rejected' ? [one.reason as unknown] : [],
  )
  if (failed.length > 1) throw new AggregateError(failed, 'reading the account')
  return Promise.all([first, second])
}

/** For what was made before the config named a VPC of the user. */
const withManagedVpc = (config: InfrastructureConfig): InfrastructureConfig => ({
  ...config,
  networks: { ...config.networks, vpc: { ...config.networks.vpc, id: undefined } },
})

/** What a step goes by towards what is desired: that, the account, and what it has read there so far. */
interface PlanContext extends Pick<Connected, 'accountId'> {
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
  extends Pick<PlanContext, 'desired' | 'state' | 'cloud'>,
    Partial<Pick<PlanContext, 'read'>> {
  readonly graph: Graph<AwsCloud>
  /** What the state has to have before something is done. */
  readonly record: State
  readonly adopt?: boolean
}

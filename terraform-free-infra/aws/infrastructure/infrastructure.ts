import type { Clock } from '../../../shared/clock/clock.ts'
import type {
  InfrastructureApplyOptions,
  InfrastructureStep,
  RequestParts,
} from '../../cloud/infrastructure.ts'
import {
  collectGraph,
  type Graph,
  planGraph,
  type Read,
  reader,
  reconcileGraph,
  type State,
} from '../../engine/engine.ts'
import type { AwsConnection } from '../account/client/client.ts'
import { consistentAfterMs } from '../account/consistent-after.ts'
import { createAccess, type OpenAccess } from '../account/credentials/access.ts'
import { accountIdOf } from '../account/credentials/account-id.ts'
import { checkAccount, checkAccountByVpc, withAllFailures } from './account/check-account.ts'
import { checkForShoot, checkInAccount, readConfig } from './check.ts'
import { type AwsCloud, sdkCloud } from './cloud.ts'
import { type InfrastructureConfig, withManagedVpc } from './config/config.ts'
import { confirmRemoved } from './deletion/confirm-removed.ts'
import { markedResources } from './deletion/marked-resources.ts'
import { isRefused, showsShoot } from './deletion/refused-reads.ts'
import { lastApplied, witnessesIn } from './deletion/witness.ts'
import {
  type DesiredInfrastructure,
  desiredInfrastructure,
  type ShootIdentity,
} from './desired-infrastructure.ts'
import { infrastructureGraph } from './graph.ts'
import { deletionConfigKey, deletionKey } from './identity/identity-reads.ts'
import { type NetworkReads, networkReads } from './network/reads.ts'
import { accountOf, createdForKey, isNothingMade, stateCodec, statePatch, withAccount } from './state.ts'
import { type InfrastructureStatus, networkStatusOf, providerStatusOf } from './status.ts'
import { errorKindOf } from './with-error-codes.ts'

export { markTag } from '../account/tags/mark-tag.ts'
export { checkInfrastructure } from './check.ts'
export type { AwsCloud } from './cloud.ts'
export { apiVersion, decodeConfig, type InfrastructureConfig } from './config/config.ts'
export type { ShootFacts } from './desired-infrastructure.ts'
export {
  type DesiredInfrastructure,
  desiredInfrastructure,
  type ShootIdentity,
} from './desired-infrastructure.ts'
export { withErrorCodes } from './with-error-codes.ts'

/**
 * The operations of a step in AWS. `withErrorCodes` adds Gardener's codes to errors. A removal completes only if AWS
 * confirms that a recorded resource is gone and no resource has the shoot's mark. If the account cannot be read, the
 * collected patch has the uid by which the next object finds the marks.
 */
type BeginStep = (request: InfrastructureRequest) => InfrastructureStep<AwsCloud, InfrastructureStatus>

/** Creates the `BeginStep` of a process. Connections and workload identity sessions are reused between steps. */
export const createInfrastructure = ({
  connection,
  clock,
  waitScale = 1,
}: {
  readonly connection: AwsConnection
  readonly clock: Clock
  /** Scales the time in which AWS may not show a change. 1 suits AWS. */
  readonly waitScale?: number
}): BeginStep => {
  const open = createAccess(connection, clock)

  return request => {
    const { providerConfig, shoot, signal, throwIfExpired } = request
    const { connect, planContext, towardsDesired, towardsNothing } = stepTargets(request, open)

    const apply = (
      { desired, ...target }: PlanTarget,
      destroy: boolean,
      { save, resumed, onActions }: InfrastructureApplyOptions,
      /** Called before anything is changed or forgotten, unless the step only continues to wait. */
      confirm: () => Promise<void> = async () => {},
    ) =>
      reconcileGraph({
        ...target,
        uid: desired.uid,
        save: (next, removed) => save(statePatch(next, removed)),
        errorKindOf,
        clock,
        shownWithinMs: consistentAfterMs * waitScale,
        signal,
        throwIfExpired,
        destroy,
        resumed,
        onPlan: async ({ actions }) => {
          await confirm()
          if (actions.length > 0) onActions(actions.map(({ sentence }) => sentence))
        },
      })

    /**
     * Returns true if these credentials cannot have created anything: there is no state, a read is refused, and no read
     * shows a resource of the shoot.
     */
    const isShutOut = async (connected: Connected): Promise<boolean> => {
      const target = await towardsNothing(connected, {})
      try {
        await connected.accountId()
        await planGraph({ ...target, clock, signal, destroy: true })
        return false
      } catch (error) {
        if (!isRefused(error) || (await showsShoot({ ...target, signal }))) throw error
        return true
      }
    }

    return {
      validate: async ({ resumed }) => {
        const config = readConfig(providerConfig)
        checkForShoot(config, request, stateCodec.decode(request.state))
        if (resumed) return
        const context = await planContext()
        const { stored, desired, reads, read, accountId } = context
        // The first step records the account. EC2 and STS refuse a bad key with different codes, so both errors are
        // reported.
        if (desired.stateless) await withAllFailures(read(reads.vpcs), accountId())
        await checkAccountByVpc(context, stored, accountId)
        await checkInAccount({ ...context, nodes: shoot.networking.nodes, now: clock.now() })
      },

      plan: async ({ destroy = false } = {}) => {
        if (!destroy) return planGraph({ ...(await towardsDesired()), clock, signal })
        const stored = stateCodec.decode(request.state)
        const connected = await connect()
        await checkAccount(stored, connected.accountId)
        return planGraph({ ...(await towardsNothing(connected, stored)), clock, signal, destroy })
      },

      reconcile: async options => {
        const { stored, accountId } = await planContext()
        const target = await towardsDesired()
        // A resumed step may have another Secret than the previous one, and `validate` has not checked it.
        const confirm = async () =>
          options.resumed ? checkAccountByVpc(target, stored, accountId) : undefined
        const outcome = await apply(target, false, options, confirm)
        if (outcome.kind === 'continue') return outcome
        const { left } = outcome
        const state = withAccount(outcome.state, accountOf(outcome.state))
        const removed = Object.keys(stored).filter(key => state[key] === undefined)
        const status = {
          providerStatus: providerStatusOf(state, readConfig(providerConfig)),
          state: statePatch(state, removed),
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
        // A resumed step may have another Secret than the previous one.
        const confirm = async () =>
          options.resumed ? checkAccountByVpc(target, stored, connected.accountId) : undefined
        const outcome = await apply(target, true, options, confirm)
        if (outcome.kind === 'continue') return outcome
        const marked = await markedResources(connected.cloud, target.desired, signal)
        if (marked.length > 0 && target.desired.vpc.kind === 'existing') {
          const before = await towardsNothing(connected, outcome.state, { managed: true })
          const next = await apply(before, true, { ...options, resumed: false })
          if (next.kind === 'continue') return next
        }
        const wait = await confirmRemoved(target, outcome.state, {
          save: options.save,
          signal,
          now: clock.now(),
          shownWithinMs: consistentAfterMs * waitScale,
        })
        return wait ?? { kind: 'done', left: outcome.left }
      },

      collect: async onFailure => {
        const stored = stateCodec.decode(request.state)
        const marks = { [createdForKey]: stored[createdForKey] ?? request.uid }
        if (isNothingMade(stored)) return {}
        try {
          const { desired, state, cloud, reads, read } = await planContext()
          const graph = infrastructureGraph(desired, {}, reads)
          const found = await collectGraph({ graph, cloud, state, clock, signal, read })
          return statePatch({ ...found, ...marks })
        } catch (error) {
          onFailure(error)
          return statePatch(marks)
        }
      },
    }
  }
}

/** The infrastructure of one shoot and the inputs to reach AWS, for one step. */
export interface InfrastructureRequest extends ShootIdentity, RequestParts {}

interface Connected {
  readonly cloud: AwsCloud
  /** Returns the account id. Calls STS at most once. */
  readonly accountId: () => Promise<string>
}

/** The inputs of a step towards the desired state: that state, the account, and the reads so far. */
interface InfrastructurePlanContext extends Pick<Connected, 'accountId'> {
  readonly config: InfrastructureConfig
  readonly desired: DesiredInfrastructure
  /** Decoded, as stored. */
  readonly stored: State
  /** The state that `desired` was derived from. */
  readonly state: State
  readonly cloud: AwsCloud
  readonly signal: AbortSignal
  readonly reads: NetworkReads
  readonly read: Read<AwsCloud>
}

/** The target of a step, and the state that it starts from. */
interface PlanTarget
  extends Pick<InfrastructurePlanContext, 'desired' | 'state' | 'cloud' | 'reads' | 'read'> {
  readonly graph: Graph<AwsCloud>
  /** State keys that must be saved before the first action. */
  readonly record: State
  readonly adopt?: boolean
}

/** Connects to the account of a step and derives its targets, which share their reads. */
interface StepTargets {
  /** Throws a `CodedError` if the Secret is invalid. */
  connect(): Promise<Connected>
  planContext(): Promise<InfrastructurePlanContext>
  towardsDesired(): Promise<PlanTarget>
  /** With `managed`, as if the VPC were not the user's. */
  towardsNothing(
    connected: Connected,
    stored: State,
    options?: { readonly managed?: boolean },
  ): Promise<PlanTarget>
}

const stepTargets = (request: InfrastructureRequest, open: OpenAccess): StepTargets => {
  const { providerConfig, region, secret, signal, throwIfExpired } = request

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

  const newPlanContext = async (): Promise<InfrastructurePlanContext> => {
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
  let known: Promise<InfrastructurePlanContext> | undefined
  const planContext = (): Promise<InfrastructurePlanContext> => {
    known ??= newPlanContext()
    return known
  }

  const towardsDesired = async (): Promise<PlanTarget> => {
    const { stored, desired, state, cloud, reads, read, accountId } = await planContext()
    const graph = infrastructureGraph(desired, {}, reads)
    const account = accountOf(stored) ?? (desired.stateless ? await accountId() : undefined)
    return { desired, state: stored, record: withAccount(state, account), cloud, reads, read, graph }
  }

  /** Returns the same config in each step of a deletion. */
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
    const reads = networkReads(desired, { destroying: true })
    return {
      desired,
      state: stored,
      record: {
        ...withAccount(state, accountOf(stored)),
        [deletionKey]: witnesses,
        [deletionConfigKey]: JSON.stringify(applied),
      },
      cloud,
      reads,
      read: reader({ cloud, state: stored, signal }),
      graph: infrastructureGraph(desired, { destroying: true }, reads),
      adopt: stored[deletionKey] === undefined,
    }
  }

  return { connect, planContext, towardsDesired, towardsNothing }
}

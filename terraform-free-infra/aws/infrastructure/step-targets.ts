import type { Secret } from '../../../shared/lifecycle/lifecycle.ts'
import { type Graph, type Read, reader, type State } from '../../engine/engine.ts'
import type { OpenAccess } from '../account/credentials/access.ts'
import { accountIdOf } from '../account/credentials/account-id.ts'
import { readConfig } from './check.ts'
import { type AwsCloud, sdkCloud } from './cloud.ts'
import { type InfrastructureConfig, withManagedVpc } from './config/config.ts'
import { lastApplied, witnessesIn } from './deletion/witness.ts'
import {
  type DesiredInfrastructure,
  desiredInfrastructure,
  type ShootIdentity,
} from './desired-infrastructure.ts'
import { infrastructureGraph } from './graph.ts'
import { deletionConfigKey, deletionKey } from './identity/identity-reads.ts'
import { type NetworkReads, networkReads } from './network/reads.ts'
import { accountOf, stateCodec, withAccount } from './state.ts'

/** The infrastructure of one shoot and the inputs to reach AWS, for one step. */
export interface InfrastructureRequest extends ShootIdentity {
  /** `spec.providerConfig` */
  readonly providerConfig: unknown
  /** `status.state`, as stored. */
  readonly state: unknown
  readonly secret: Secret | undefined
  readonly signal: AbortSignal
  readonly throwIfExpired: () => void
}

export interface Connected {
  readonly cloud: AwsCloud
  /** Returns the account id. Calls STS at most once. */
  readonly accountId: () => Promise<string>
}

/** The inputs of a step towards the desired state: that state, the account, and the reads so far. */
export interface InfrastructurePlanContext extends Pick<Connected, 'accountId'> {
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
export interface PlanTarget
  extends Pick<InfrastructurePlanContext, 'desired' | 'state' | 'cloud' | 'reads' | 'read'> {
  readonly graph: Graph<AwsCloud>
  /** State keys that must be saved before the first action. */
  readonly record: State
  readonly adopt?: boolean
}

/** Connects to the account of a step and derives its targets, which share their reads. */
export interface StepTargets {
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

export const stepTargets = (request: InfrastructureRequest, open: OpenAccess): StepTargets => {
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

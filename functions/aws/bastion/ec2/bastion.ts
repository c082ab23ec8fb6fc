/** Bastions: a machine and two security groups that give a user access to the nodes of a shoot. */
import type { Clock, Timestamp } from '../../../../shared/clock/clock.ts'
import { type CodedError, configurationProblem } from '../../../../shared/contract/errors.ts'
import type { Secret } from '../../../../shared/lifecycle/lifecycle.ts'
import type { AwsConnection } from '../../../../terraform-free-infra/aws/account/client/client.ts'
import { createAccess } from '../../../../terraform-free-infra/aws/account/credentials/access.ts'
import type { AwsError } from '../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import { type BastionIdentity, desiredBastion } from './desired.ts'
import { chooseMachine } from './machine/choose-machine.ts'
import { type KnownNetwork, type Namesake, observe } from './observe.ts'
import { type BastionPlan, planRemoval } from './plan.ts'
import { type BastionReconciled, planReconcile, reconcileBastion } from './reconcile.ts'
import { removeBastion } from './remove.ts'
import { sdkEc2 } from './sdk-ec2.ts'
import { createStateWriter, decodeState } from './state.ts'
import { isUncertain, patienceAt, uncertain } from './uncertainty.ts'
import { type BastionWork, type ContinuedWork, type OnActions, waitFor } from './work.ts'

export { bastionNames } from './desired.ts'
export type { BastionEndpoint } from './ec2.ts'
export type { Namesake } from './observe.ts'
export type { BastionAction, BastionPlan } from './plan.ts'
export { bastionProblems } from './problems.ts'

export interface BastionRequest extends BastionIdentity, KnownNetwork {
  readonly region: string | undefined
  /** The VPC must exist, because its Infrastructure is not being deleted. */
  readonly vpcStays: boolean
  /** The time of the last change of the Infrastructure. */
  readonly networkChangedAt: Timestamp | undefined
  /** `spec` of the CloudProfile. */
  readonly cloudProfile: unknown
  readonly secret: Secret
  /** `status.state`. */
  readonly state: unknown
  /** Writes a merge patch of `status.state` at once. */
  readonly saveState: (patch: object) => Promise<void>
  /** The wait of the previous steps. */
  readonly waited: { readonly for: string; readonly since: Timestamp } | undefined
  readonly signal: AbortSignal
  readonly throwIfExpired: () => void
}

interface Reported {
  /** Resources with our names that are not proved to be ours. */
  readonly left: readonly Namesake[]
  /** A merge patch of `status.state`. Undefined: it is unchanged. */
  readonly state: object | undefined
}

export type BastionOutcome = Reported & BastionReconciled
export type BastionRemoval = Reported & (ContinuedWork | { readonly kind: 'done' })

/**
 * The operations of one step for a bastion. They share what they read. Errors are `CodedError`s, `AwsError`s that name
 * the current action, and `RequeueAfterError`s. No error contains a secret.
 */
export interface BastionStep {
  /** Throws a `CodedError` for missing parts of the infrastructure, or of the CloudProfile if it is needed. */
  validate(): Promise<void>
  /** Returns the plan of `reconcile`, or with `destroy` of `remove`. Changes nothing. */
  plan(options?: { readonly destroy?: boolean }): Promise<BastionPlan>
  /** Costs three reads if nothing differs. */
  reconcile(onActions: OnActions): Promise<BastionOutcome>
  /** Deletes everything that is proved to be ours, in any state of the infrastructure. */
  remove(onActions: OnActions): Promise<BastionRemoval>
}

/** Creates the factory of steps. Connections and workload identity sessions are reused between steps. */
export const createBastions = ({
  connection,
  clock,
}: {
  readonly connection: AwsConnection
  readonly clock: Clock
}): ((request: BastionRequest) => BastionStep) => {
  const open = createAccess(connection, clock)

  return request => {
    const begin = async (): Promise<BastionWork> => {
      const { secret, signal, throwIfExpired, networkChangedAt } = request
      const region = regionOf(request)
      const state = createStateWriter(decodeState(request.state), request.saveState)
      const { settings, secrets } = await open({ secret, region, signal })
      const explain = ({ code }: AwsError) => (code === 'ENOTFOUND' ? noRegion(request) : undefined)
      const ec2 = sdkEc2(settings, { throwIfExpired, signal, secrets, explain })
      const desired = desiredBastion(request)
      const patience = patienceAt(clock.now(), request.waited)
      return {
        ec2,
        region,
        clock,
        desired,
        observed: await observe(ec2, desired, request, state.current()),
        state,
        patience,
        isNetworkYoung: networkChangedAt !== undefined && patience.isYoung(networkChangedAt),
        machine: () => chooseMachine(request.cloudProfile, region, clock.now()),
      }
    }
    let begun: Promise<BastionWork> | undefined
    const work = (): Promise<BastionWork> => {
      begun ??= begin()
      return begun
    }
    const reported = async (): Promise<Reported> => {
      const { observed, state } = await work()
      return { left: observed.left, state: state.unsaved() }
    }

    return {
      validate: async () => {
        planReconcile(await work())
      },

      plan: async ({ destroy = false } = {}) => {
        const { observed, ...rest } = await work()
        if (destroy) return planRemoval(observed)
        const planned = planReconcile({ observed, ...rest })
        return isUncertain(planned) ? { actions: [], left: observed.left } : planned.plan
      },

      reconcile: async onActions => {
        const outcome = await reconcileBastion(await work(), onActions)
        return { ...outcome, ...(await reported()) }
      },

      remove: async onActions => {
        const wait = (await removeBastion(await work(), onActions)) ?? (await vpcCheck(await work(), request))
        return { ...(wait ?? { kind: 'done' as const }), ...(await reported()) }
      },
    }
  }
}

/**
 * Fails if the credentials belong to another account, because a deletion there would find nothing and succeed. Reads
 * the default security group of the shoot's VPC, which every VPC has. Returns a wait while EC2 may not show a new VPC.
 */
const vpcCheck = async (
  { ec2, observed, isNetworkYoung }: BastionWork,
  { vpcId, vpcStays, region = '', clusterName, secret }: BastionRequest,
): Promise<ContinuedWork | undefined> => {
  if (!observed.isEmpty || vpcId === undefined || !vpcStays || (await ec2.hasGroupIn(vpcId))) return undefined
  if (isNetworkYoung) return waitFor(uncertain('network', `EC2 shows the VPC ${vpcId} of the Infrastructure`))
  throw configurationProblem(
    `cannot find the VPC ${vpcId} of the shoot ${clusterName} in ${region} with the credentials of the Secret ${secret.namespace}/${secret.name}, so they may be of another AWS account. Use credentials of the account of the VPC`,
  )
}

/** The region becomes part of a host name. */
const regionOf = (request: BastionRequest): string => {
  const { region = '' } = request
  if (/^[a-z0-9-]+$/.test(region)) return region
  throw noRegion(request)
}

/** Invalid format, or EC2 has no address for it. */
const noRegion = ({ region = '', clusterName }: BastionRequest): CodedError =>
  configurationProblem(
    `spec.shoot.spec.region of the Cluster ${clusterName}: ${JSON.stringify(region)} is not an AWS region`,
  )

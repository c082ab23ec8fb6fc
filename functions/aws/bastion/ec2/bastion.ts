/** Bastions: a machine and two security groups that give a user access to the nodes of a shoot. */
import type { Clock } from '../../../../shared/clock/clock.ts'
import { CodedError } from '../../../../shared/contract/errors.ts'
import type { Secret } from '../../../../shared/lifecycle/lifecycle.ts'
import type { AwsConnection } from '../../../../terraform-free-infra/aws/account/client/client.ts'
import { createAccess } from '../../../../terraform-free-infra/aws/account/credentials/access.ts'
import type { AwsError } from '../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import { changeAll, createGroup, isChange, runOnce } from './apply.ts'
import { type BastionIdentity, desiredBastion } from './desired.ts'
import type { BastionEc2, BastionEndpoint, ObservedInstance } from './ec2.ts'
import { type BastionMachine, chooseMachine } from './machine/choose-machine.ts'
import { networkOf } from './network-of.ts'
import { type Namesake, type ObservedBastion, observe } from './observe.ts'
import {
  type BastionAction,
  type BastionNetwork,
  type BastionPlan,
  planBastion,
  planRemoval,
} from './plan.ts'
import { sdkEc2 } from './sdk-ec2.ts'

export { bastionNames } from './desired.ts'
export type { BastionEndpoint } from './ec2.ts'
export type { Namesake } from './observe.ts'
export type { BastionAction, BastionPlan } from './plan.ts'
export { bastionProblems } from './problems.ts'

export interface BastionRequest extends BastionIdentity {
  readonly region: string | undefined
  /** The VPC of the shoot, if its Infrastructure reports it. */
  readonly vpcId: string | undefined
  /** The VPC must exist, because its Infrastructure is not being deleted. */
  readonly vpcStays: boolean
  /** `spec` of the CloudProfile. */
  readonly cloudProfile: unknown
  readonly secret: Secret
  readonly signal: AbortSignal
  readonly throwIfExpired: () => void
}

export interface BastionApplyOptions {
  /** Called with the sentences of the actions before the first one is applied. Not called without actions. */
  readonly onActions: (sentences: readonly string[]) => void
}

/** Continue after this many milliseconds. */
interface BastionContinued {
  readonly kind: 'continue'
  readonly afterMs: number
  readonly progress: number
  readonly description: string
}

interface Left {
  /** Resources with our names that are not proved to be ours. */
  readonly left: readonly Namesake[]
}

export type BastionReconciled = Left &
  (BastionContinued | { readonly kind: 'done'; readonly endpoint: BastionEndpoint })
export type BastionRemoved = Left & (BastionContinued | { readonly kind: 'done' })

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
  reconcile(options: BastionApplyOptions): Promise<BastionReconciled>
  /** Deletes everything that is proved to be ours, in any state of the infrastructure. */
  remove(options: BastionApplyOptions): Promise<BastionRemoved>
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
    const desired = desiredBastion(request)

    const newContext = async (): Promise<BastionContext> => {
      const { secret, signal, throwIfExpired } = request
      const region = regionOf(request)
      const { settings, secrets } = await open({ secret, region, signal })
      const explain = ({ code }: AwsError) => (code === 'ENOTFOUND' ? noRegion(request) : undefined)
      const ec2 = sdkEc2(settings, { throwIfExpired, signal, secrets, explain })
      return { ec2, region, observed: await observe(ec2, desired, request.vpcId) }
    }
    let known: Promise<BastionContext> | undefined
    const context = (): Promise<BastionContext> => {
      known ??= newContext()
      return known
    }

    const machineIn = (region: string) => (): BastionMachine =>
      chooseMachine(request.cloudProfile, region, clock.now())
    const planned = async (): Promise<
      BastionContext & { readonly network: BastionNetwork; readonly plan: BastionPlan }
    > => {
      const { ec2, region, observed } = await context()
      const network = networkOf(desired, observed, region)
      return {
        ec2,
        region,
        observed,
        network,
        plan: planBastion(desired, network, observed, machineIn(region)),
      }
    }

    return {
      validate: async () => {
        await planned()
      },

      plan: async ({ destroy = false } = {}) =>
        destroy ? planRemoval(desired, (await context()).observed) : (await planned()).plan,

      reconcile: async ({ onActions }) => {
        const { ec2, region, observed, network, plan } = await planned()
        const { left } = plan
        if (plan.actions.length > 0) onActions(sentencesOf(plan.actions))
        let { actions } = plan
        const [first] = actions
        if (first?.kind === 'create group') {
          const group = await createGroup(ec2, first.group)
          if (group === undefined)
            return {
              ...pause(notThereMs, 10, `Waiting until EC2 shows the security group ${first.group.name}`),
              left,
            }
          actions = planBastion(desired, network, { ...observed, group }, machineIn(region)).actions
        }
        await changeAll(ec2, actions.filter(isChange))
        let [instance] = observed.instances
        // Last, once the instance is reachable and access is limited to the allowed ranges.
        for (const action of actions)
          if (action.kind === 'run instance')
            instance = await runOnce(ec2, action.instance, { ...desired, ...observed })
        if (instance === undefined) throw new Error('the plan of a bastion has no instance')
        const endpoint = endpointOf(instance)
        return endpoint === undefined ? { ...waitFor(instance), left } : { kind: 'done', endpoint, left }
      },

      remove: async ({ onActions }) => {
        const { ec2, observed } = await context()
        const { actions, left } = planRemoval(desired, observed)
        const waitsFor = [...observed.instances, ...observed.outdated, ...observed.leaving]
        const now = waitsFor.length === 0 ? actions : actions.filter(({ kind }) => kind !== 'delete group')
        if (now.length > 0) onActions(sentencesOf(now))
        await changeAll(ec2, now.filter(isChange))
        if (observed.isEmpty) await throwIfVpcIsElsewhere(ec2, request)
        if (waitsFor.length === 0) return { kind: 'done', left }
        const ids = waitsFor.map(({ id }) => id).join(' and ')
        return { ...pause(terminatingMs, 50, `Waiting until instance ${ids} is terminated`), left }
      },
    }
  }
}

/**
 * Fails if the credentials belong to another account, because a deletion there would find nothing and succeed. Reads
 * the default security group of the shoot's VPC, which every VPC has.
 */
const throwIfVpcIsElsewhere = async (
  ec2: BastionEc2,
  { vpcId, vpcStays, region = '', clusterName, secret }: BastionRequest,
): Promise<void> => {
  if (vpcId === undefined || !vpcStays || (await ec2.hasGroupIn(vpcId))) return
  throw new CodedError(
    `cannot find the VPC ${vpcId} of the shoot ${clusterName} in ${region} with the credentials of the Secret ${secret.namespace}/${secret.name}, so they may be of another AWS account. Use credentials of the account of the VPC`,
    { codes: ['ERR_CONFIGURATION_PROBLEM'] },
  )
}

interface BastionContext {
  readonly ec2: BastionEc2
  readonly region: string
  readonly observed: ObservedBastion
}

/** docs/contract/provider-aws.md#bastion */
const notThereMs = 5_000
const terminatingMs = 10_000
/** A user has to start it again, which may take a while. */
const stoppedMs = 60_000

const pause = (afterMs: number, progress: number, description: string): BastionContinued => ({
  kind: 'continue',
  afterMs,
  progress,
  description,
})

const waitFor = ({ id, state }: ObservedInstance): BastionContinued =>
  state === 'stopping' || state === 'stopped'
    ? pause(
        stoppedMs,
        80,
        `Instance ${id} is ${state} and cannot be reached. Start it, or terminate it to get a new one`,
      )
    : pause(notThereMs, 80, `Waiting until instance ${id} has a public and a private address`)

/** Returns the address to connect to, or undefined until the instance has both addresses. */
const endpointOf = ({ publicEndpoint, privateEndpoint }: ObservedInstance): BastionEndpoint | undefined =>
  isThere(publicEndpoint) && isThere(privateEndpoint) ? publicEndpoint : undefined

const isThere = ({ ip, hostname }: BastionEndpoint): boolean => ip !== undefined || hostname !== undefined

const sentencesOf = (actions: readonly BastionAction[]): readonly string[] =>
  actions.map(({ sentence }) => sentence)

/** The region becomes part of a host name. */
const regionOf = (request: BastionRequest): string => {
  const { region = '' } = request
  if (/^[a-z0-9-]+$/.test(region)) return region
  throw noRegion(request)
}

/** Invalid format, or EC2 has no address for it. */
const noRegion = ({ region = '', clusterName }: BastionRequest): CodedError =>
  new CodedError(
    `spec.shoot.spec.region of the Cluster ${clusterName}: ${JSON.stringify(region)} is not an AWS region`,
    { codes: ['ERR_CONFIGURATION_PROBLEM'] },
  )

import type { Clock } from '../../../shared/clock/clock.ts'
import { type CodedError, configurationProblem } from '../../../shared/contract/errors.ts'
import { formatProblems } from '../../../shared/decode/problems.ts'
import type {
  InfrastructureApplyOptions,
  InfrastructureStep,
  RequestParts,
} from '../../cloud/infrastructure.ts'
import {
  collectGraph,
  type Plan,
  planGraph,
  type Read,
  reader,
  reconcileGraph,
  type State,
} from '../../engine/engine.ts'
import { cloudProfileConfigSchema, decodeStrictly, keystoneOf } from '../account/config/config.ts'
import {
  createAccess,
  errorKindOf,
  type OpenStackAccess,
  type OpenStackConnection,
  OpenStackError,
  projectKey,
  readCredentials,
  requireProject,
} from '../account/openstack.ts'
import { kinds } from './calls.ts'
import { checkProject } from './check-project.ts'
import { readConfig } from './config/config.ts'
import { configProblems } from './config/config-problems.ts'
import { foreignPortsError } from './deletion/blockers.ts'
import {
  type DesiredInfrastructure,
  desiredInfrastructure,
  type ShootFacts,
  type ShootIdentity,
} from './desired.ts'
import { type InfrastructureGraph, infrastructureGraph } from './graph.ts'
import { type InfrastructureReads, infrastructureReads } from './reads.ts'
import { createdForKey, deletingKey, isNothingMade, removedKeys, stateCodec, statePatch } from './state.ts'
import { networkStatusOf, providerStatusOf } from './status.ts'

export type { ShootFacts, ShootIdentity } from './desired.ts'

/** The infrastructure of one shoot and the inputs to reach OpenStack, for one step. */
export interface InfrastructureRequest extends ShootIdentity, RequestParts {
  readonly shoot: ShootFacts
  /** The `CloudProfileConfig`, not decoded. */
  readonly cloudProfile: unknown
}

/** Checks the object and its Secret by themselves. Throws a `CodedError`. */
export const checkInfrastructure = ({
  providerConfig,
  shoot,
  secret,
}: Pick<InfrastructureRequest, 'providerConfig' | 'shoot' | 'secret'>): void => {
  const problems = configProblems(readConfig(providerConfig), shoot)
  if (problems.length > 0)
    throw configurationProblem(
      formatProblems(
        problems.map(({ path, ...rest }) => ({
          ...rest,
          path: ['spec.providerConfig', path].filter(part => part !== '').join('.'),
        })),
      ),
    )
  if (secret !== undefined) readCredentials(secret)
}

/**
 * The longest time in which an effect of a call may not be shown, in ms. Neutron and Nova answer from the database that
 * the call has changed, in one transaction, so that there is no lag as in AWS. Only a create without an answer may still
 * be at work: Neutron goes on when its client has left.
 */
const shownWithinMs = 30_000

/**
 * Creates the steps of a process. Logins are reused between steps. `withErrorCodes` adds Gardener's codes to errors. A
 * removal throws a `CodedError` that names ports of others, before anything is deleted.
 */
export const createInfrastructure = ({
  connection,
  clock,
  waitScale = 1,
}: {
  readonly connection: OpenStackConnection
  readonly clock: Clock
  /** Scales the time in which OpenStack may not show a change. 1 suits OpenStack. */
  readonly waitScale?: number
}): ((request: InfrastructureRequest) => InfrastructureStep<OpenStackAccess>) => {
  const open = createAccess(connection, clock)

  return request => {
    const { signal, throwIfExpired, providerConfig } = request
    const targetOf = once((destroying: boolean) => stepTarget(request, open, destroying))
    const desire = () => targetOf(false)
    const undo = () => targetOf(true)

    /** Checks the project before anything is read in it, and returns the keys to record. */
    const recordFor = async ({ cloud, state, record }: StepTarget): Promise<State> => {
      const recorded = state[projectKey]
      const project = await requireProject(cloud, {
        what: 'the infrastructure',
        recorded,
        secret: request.secret,
      })
      return Object.keys(record).length === 0 ? record : { ...record, [projectKey]: project }
    }

    const apply = async (
      target: StepTarget,
      { save, resumed, onActions }: InfrastructureApplyOptions,
      confirm: (plan: Plan<OpenStackAccess>) => Promise<void> = async () => {},
    ) =>
      reconcileGraph({
        ...target,
        record: await recordFor(target),
        uid: target.desired.uid,
        destroy: target.desired.destroying,
        save: (next, removed) => save(statePatch(next, removed)),
        errorKindOf,
        clock,
        shownWithinMs: shownWithinMs * waitScale,
        signal,
        throwIfExpired,
        resumed,
        onPlan: async plan => {
          await confirm(plan)
          if (plan.actions.length > 0) onActions(plan.actions.map(({ sentence }) => sentence))
        },
      })

    return {
      validate: async ({ resumed }) => {
        checkInfrastructure(request)
        if (resumed) return
        await recordFor(desire())
        await checkProject({ ...desire(), signal })
      },

      plan: async ({ destroy = false } = {}) => {
        const target = destroy ? undo() : desire()
        const plan = await planGraph({ ...target, record: await recordFor(target), clock, signal, destroy })
        const blocked = destroy ? await blockOf(target, plan) : undefined
        return blocked === undefined ? plan : { ...plan, blocked }
      },

      reconcile: async options => {
        const target = desire()
        const outcome = await apply(target, options)
        if (outcome.kind === 'continue') return outcome
        const { state, left } = outcome
        const addresses = target.router.in(outcome.outcomes)?.addresses ?? []
        if (addresses.length === 0)
          throw new Error(
            `expected at least one external fixed ip: router ${state.Router} has no address in the network ${target.desired.floatingPool}. Set its gateway again`,
          )
        const status = {
          providerStatus: providerStatusOf(state, readConfig(providerConfig), addresses),
          state: statePatch(state, removedKeys(request.state, state)),
          ...networkStatusOf(state, request.shoot, addresses),
        }
        return { kind: 'done', left, status }
      },

      remove: async options => {
        const target = undo()
        try {
          await target.cloud.projectId()
        } catch (error) {
          if (isNothingMade(target.state) && isShutOut(error)) return { kind: 'nothing made' }
          throw error
        }
        const outcome = await apply(target, options, async plan => {
          const blocked = await blockOf(target, plan)
          if (blocked !== undefined) throw blocked
        })
        return outcome.kind === 'continue' ? outcome : { kind: 'done', left: outcome.left }
      },

      collect: async () => {
        if (isNothingMade(stateCodec.decode(request.state))) return {}
        const target = desire()
        const record = await recordFor(target)
        const found = await collectGraph({
          ...target,
          clock,
          signal,
          shownWithinMs: shownWithinMs * waitScale,
        })
        return statePatch({ ...found, ...record })
      },
    }
  }
}

/** Returns the error for ports of others, because of which nothing is deleted. */
const blockOf = async (
  { read, reads, desired, state }: StepTarget,
  { actions }: Plan<OpenStackAccess>,
): Promise<CodedError | undefined> => {
  if (!actions.some(({ kind }) => kind === 'delete')) return undefined
  const hasLoadBalancers = actions.some(
    action => action.target === 'removal' && action.type.what === kinds.loadBalancer.noun,
  )
  return foreignPortsError(await read(reads.ports), desired, state, hasLoadBalancers)
}

/** A target of a step: the desired infrastructure, the state that it starts from, and its reads. */
interface StepTarget extends InfrastructureGraph {
  readonly desired: DesiredInfrastructure
  readonly state: State
  readonly cloud: OpenStackAccess
  readonly reads: InfrastructureReads
  readonly read: Read<OpenStackAccess>
  /** State keys that must be saved before the first action. */
  readonly record: State
  readonly adopt: boolean
}

const stepTarget = (
  request: InfrastructureRequest,
  open: ReturnType<typeof createAccess>,
  destroying: boolean,
): StepTarget => {
  const { providerConfig, shoot, region, secret, signal, throwIfExpired } = request
  const state = stateCodec.decode(request.state)
  const config = readConfig(providerConfig, { lenient: destroying })
  const cloudProfile = cloudProfileOf(request, destroying)
  const cloud = open({
    secret,
    region,
    signal,
    throwIfExpired,
    keystone: cloudProfile && keystoneOf(cloudProfile, region),
  })
  const domain = secret === undefined ? '' : readCredentials(secret).domainName
  const input = { identity: request, config, shoot, cloudProfile, domain, state, destroying }
  const desired = desiredInfrastructure(input)
  const reads = infrastructureReads(desired)
  const isFirst = destroying && !isNothingMade(state) && state[deletingKey] === undefined
  return {
    ...infrastructureGraph(desired, reads),
    desired,
    state,
    cloud,
    reads,
    read: reader({ cloud, state, signal }),
    record:
      isNothingMade(state) && destroying
        ? {}
        : { [createdForKey]: desired.uid, ...(destroying && { [deletingKey]: 'true' }) },
    adopt: isFirst,
  }
}

/** A deletion goes on without a readable CloudProfile, because it only needs the URL of Keystone from it. */
const cloudProfileOf = ({ cloudProfile }: InfrastructureRequest, lenient: boolean) => {
  if (cloudProfile === undefined || cloudProfile === null) return undefined
  try {
    return decodeStrictly(cloudProfileConfigSchema, cloudProfile)
  } catch (error) {
    if (lenient) return undefined
    throw configurationProblem(
      'cannot read spec.providerConfig of the CloudProfile. Ask the operator of the landscape to correct it',
      error,
    )
  }
}

/** Returns true if Keystone has refused the login, so that these credentials cannot have created anything. */
const isShutOut = (error: unknown): boolean =>
  error instanceof OpenStackError &&
  error.service === 'identity' &&
  error.status !== undefined &&
  [401, 403, 404].includes(error.status)

const once = <T>(make: (destroying: boolean) => T): ((destroying: boolean) => T) => {
  const made = new Map<boolean, T>()
  return destroying => {
    const known = made.get(destroying)
    if (known !== undefined) return known
    const value = make(destroying)
    made.set(destroying, value)
    return value
  }
}

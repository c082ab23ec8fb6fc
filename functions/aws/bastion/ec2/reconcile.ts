import { isRefusal } from '../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import {
  attemptAll,
  changeRules,
} from '../../../../terraform-free-infra/aws/account/security-groups/change-rules.ts'
import { createGroup } from './create-group.ts'
import type { BastionEndpoint, ObservedInstance } from './ec2.ts'
import { networkOf } from './network-of.ts'
import type { ObservedBastion } from './observe.ts'
import { type BastionNetwork, type BastionPlan, planBastion } from './plan.ts'
import { mostRecentRanges, withChanges } from './recent-ranges.ts'
import { startInstance } from './start-instance.ts'
import { isInconsistent, isUncertain, type Uncertainty, uncertain } from './uncertainty.ts'
import {
  type BastionWork,
  type Continued,
  isRecent,
  notThereMs,
  type OnActions,
  unlistedInstance,
  waitFor,
} from './work.ts'

/** A user has to start it again, which may take a while. */
const stoppedMs = 60_000

export type BastionReconciled = Continued | { readonly kind: 'done'; readonly endpoint: BastionEndpoint }

interface Planned {
  readonly network: BastionNetwork
  readonly plan: BastionPlan
}

/**
 * Returns the plan of the next changes, or the reason to wait for EC2 first. Throws a `CodedError` for missing parts of the
 * infrastructure, or of the CloudProfile if it is needed.
 */
export const planReconcile = (work: BastionWork): Planned | Uncertainty => {
  const { desired, observed, region, state, isNetworkYoung } = work
  const { group } = state.current()
  const network = networkOf(desired, observed, {
    region,
    isNetworkYoung,
    isGroupYoung: isRecent(work, group),
  })
  if (isUncertain(network)) return network
  const isCreated = group?.id !== undefined && group.vpcId === network.subnet.vpcId && isRecent(work, group)
  if (isCreated && observed.group === undefined)
    return uncertain('group', `EC2 shows the security group ${desired.names.group} (${group.id})`)
  return { network, plan: planWith(work, network, observed) }
}

const planWith = (work: BastionWork, network: BastionNetwork, observed: ObservedBastion): BastionPlan => {
  const { desired, state, machine } = work
  const unlisted = unlistedInstance(work)
  const isRepeated = unlisted?.id === undefined && unlisted?.launch?.groupId === observed.group?.id
  return planBastion(
    desired,
    network,
    observed,
    {
      ranges: state.current().ranges.filter(recent => isRecent(work, recent)),
      isStarted: unlisted?.id !== undefined,
      launch: isRepeated ? unlisted?.launch : undefined,
    },
    machine,
  )
}

export const reconcileBastion = async (
  work: BastionWork,
  onActions: OnActions,
): Promise<BastionReconciled> => {
  try {
    const planned = planReconcile(work)
    return isUncertain(planned) ? waitFor(planned) : await apply(work, planned, onActions)
  } catch (error) {
    if (!isInconsistent(error) || work.patience.isOver('answers')) throw error
    const { message } = error as Error
    return waitFor(uncertain('answers', `EC2 shows all parts of the bastion everywhere: ${message}`))
  }
}

const apply = async (
  work: BastionWork,
  { network, plan }: Planned,
  onActions: OnActions,
): Promise<BastionReconciled> => {
  const { ec2, state, clock, desired } = work
  let { observed } = work
  let { actions } = plan
  if (actions.length > 0) onActions(actions.map(({ sentence }) => sentence))
  const [first] = actions
  if (first?.kind === 'create group') {
    const group = await createGroup(ec2, first.group, state, clock.now).catch((error: unknown) => {
      // Of an earlier call, of a predecessor or foreign: a later step finds out.
      if (!isRefusal(error, 'InvalidGroup.Duplicate') || work.patience.isOver('group')) throw error
      return undefined
    })
    if (group === undefined)
      return waitFor(uncertain('group', `EC2 shows the security group ${first.group.name}`))
    observed = { ...observed, group }
    actions = planWith(work, network, observed).actions
  }
  const wait = await changeAll(work, actions)
  if (wait !== undefined) return waitFor(wait)
  adopt(work, observed)
  let [instance] = observed.instances
  const unlisted = unlistedInstance(work)
  if (unlisted?.id !== undefined)
    return waitFor(uncertain('instance', `EC2 lists the instance ${unlisted.id}`))
  // Last, once the instance is reachable and access is limited to the allowed ranges.
  for (const action of actions)
    if (action.kind === 'run instance') {
      const { launch } = action
      instance = await startInstance(ec2, desired, { launch, number: nextNumber(work) }, state, clock.now)
    }
  if (instance === undefined) throw new Error('the plan of a bastion has no instance')
  const endpoint = endpointOf(instance)
  return endpoint === undefined ? notReachable(instance) : { kind: 'done', endpoint }
}

/** Makes all changes that create nothing. Returns a reason to wait instead, if too many ranges were changed recently. */
const changeAll = async (
  work: BastionWork,
  actions: BastionPlan['actions'],
): Promise<Uncertainty | undefined> => {
  const { ec2, state, clock } = work
  const changes = actions.flatMap(action =>
    action.kind === 'authorize' || action.kind === 'revoke' ? [action] : [],
  )
  const recent = state.current().ranges.filter(range => isRecent(work, range))
  const after = (answered: boolean) => withChanges(recent, changes, { answered, since: clock.now() })
  if (after(false).length > mostRecentRanges)
    return uncertain('answers', `EC2 surely shows the last changes of ${recent.length} ranges`)
  if (changes.length > 0) await state.save({ ranges: after(false) })
  await attemptAll([
    ...actions.flatMap(action => (action.kind === 'terminate' ? [() => ec2.terminate(action.id)] : [])),
    () => changeRules(changes, ec2.changeRules),
  ])
  state.change({ ranges: after(true) })
  return undefined
}

/** Records the resources in use, for a time in which EC2 does not list them. */
const adopt = ({ state, clock }: BastionWork, { group, instances, ended }: ObservedBastion): void => {
  const since = clock.now()
  const { group: knownGroup, instance: known } = state.current()
  const [instance] = instances
  if (group !== undefined && group.id !== knownGroup?.id)
    state.change({ group: { id: group.id, vpcId: group.vpcId, since } })
  if (instance !== undefined && instance.id !== known?.id)
    state.change({ instance: { number: ended, ...known, id: instance.id, since } })
}

/** Returns the number of the next token: a call without an answer is repeated, an instance that has ended is not. */
const nextNumber = ({ observed, state }: BastionWork): number => {
  const { instance } = state.current()
  if (instance === undefined) return observed.ended
  return instance.id === undefined && observed.recorded === undefined ? instance.number : instance.number + 1
}

const notReachable = ({ id, state }: ObservedInstance): Continued =>
  state === 'stopping' || state === 'stopped'
    ? {
        kind: 'continue',
        afterMs: stoppedMs,
        progress: 80,
        description: `Instance ${id} is ${state} and cannot be reached. Start it, or terminate it to get a new one`,
      }
    : {
        kind: 'continue',
        afterMs: notThereMs,
        progress: 80,
        description: `Waiting until instance ${id} has a public and a private address`,
      }

/** Returns the address to connect to, or undefined until the instance has both addresses. */
const endpointOf = ({ publicEndpoint, privateEndpoint }: ObservedInstance): BastionEndpoint | undefined =>
  isThere(publicEndpoint) && isThere(privateEndpoint) ? publicEndpoint : undefined

const isThere = ({ ip, hostname }: BastionEndpoint): boolean => ip !== undefined || hostname !== undefined

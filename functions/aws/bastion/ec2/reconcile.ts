import { isRefusal } from '../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import {
  attemptAll,
  changeRules,
} from '../../../../terraform-free-infra/aws/account/security-groups/change-rules.ts'
import { createGroup, duplicate } from './create-group.ts'
import type { BastionEndpoint, ObservedGroup, ObservedInstance } from './ec2.ts'
import { networkOf } from './network-of.ts'
import type { ObservedBastion } from './observe.ts'
import { type BastionNetwork, type BastionPlan, planBastion } from './plan.ts'
import { mostRecentRanges, recentRanges, withChanges } from './recent-ranges.ts'
import { startInstance } from './start-instance.ts'
import { isInconsistent, isUncertain, type Uncertainty, uncertain } from './uncertainty.ts'
import {
  type BastionWork,
  type ContinuedWork,
  isRecent,
  notThereMs,
  type OnActions,
  unlistedInstance,
  waitFor,
} from './work.ts'

/** A user has to start it again, which may take a while. */
const stoppedMs = 60_000

export type BastionReconciled = ContinuedWork | { readonly kind: 'done'; readonly endpoint: BastionEndpoint }

interface Planned {
  readonly network: BastionNetwork
  readonly plan: BastionPlan
}

/**
 * Returns the plan of the next changes, or the reason to wait for EC2 first. Throws a `CodedError` for missing parts of
 * the infrastructure, or of the CloudProfile if it is needed.
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
  const { desired, machine } = work
  const unlisted = unlistedInstance(work)
  const isRepeated = unlisted?.id === undefined && unlisted?.launch?.groupId === observed.group?.id
  return planBastion(
    desired,
    network,
    observed,
    {
      ranges: recentRanges(work, observed.group?.id),
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
      // EC2 does not list it yet. A later step finds out if it is of an earlier call, of a predecessor or foreign.
      if (!isRefusal(error, duplicate) || work.patience.isOver('group')) throw error
      return undefined
    })
    if (group === undefined)
      return waitFor(uncertain('group', `EC2 shows the security group ${first.group.name}`))
    observed = { ...observed, group }
    actions = planWith(work, network, observed).actions
  }
  const wait = await changeAll(work, actions, observed.group)
  if (wait !== undefined) return waitFor(wait)
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
  adopt(work, { group: observed.group, instance })
  const endpoint = endpointOf(instance)
  return endpoint === undefined ? notReachable(instance) : { kind: 'done', endpoint }
}

/** Makes all changes that create nothing. Returns a reason to wait instead if too many ranges changed recently. */
const changeAll = async (
  work: BastionWork,
  actions: BastionPlan['actions'],
  group: ObservedGroup | undefined,
): Promise<Uncertainty | undefined> => {
  const { ec2, state, clock } = work
  const changes = actions.flatMap(action =>
    action.kind === 'authorize' || action.kind === 'revoke' ? [action] : [],
  )
  const recent = recentRanges(work, group?.id)
  const after = (answered: boolean) => {
    const ranges = withChanges(recent, changes, { answered, since: clock.now() })
    return { rules: group && ranges.length > 0 ? { groupId: group.id, ranges } : undefined }
  }
  if ((after(false).rules?.ranges.length ?? 0) > mostRecentRanges)
    return uncertain('answers', `EC2 surely shows the last changes of ${recent.length} ranges`)
  if (changes.length > 0) await state.save(after(false))
  await attemptAll([
    ...actions.flatMap(action => (action.kind === 'terminate' ? [() => ec2.terminate(action.id)] : [])),
    () => changeRules(changes, ec2.changeRules),
  ])
  state.change(after(true))
  // EC2 has accepted changes of it, so it exists.
  if (changes.length > 0) adopt(work, { group })
  return undefined
}

/**
 * Records resources that exist, for a time in which EC2 does not list them. That a group is listed is no proof: it may
 * be that of a predecessor, and deleted.
 */
const adopt = (
  { state, clock, observed: { ended } }: BastionWork,
  { group, instance }: { readonly group: ObservedGroup | undefined; readonly instance?: ObservedInstance },
): void => {
  const since = clock.now()
  const { group: knownGroup, instance: known } = state.current()
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

const notReachable = ({ id, state }: ObservedInstance): ContinuedWork =>
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

import { formatSeconds, type Timestamp } from '../../../../shared/clock/clock.ts'
import { consistentAfterMs } from '../../../../terraform-free-infra/aws/account/consistency.ts'
import { isRefusal } from '../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import {
  attemptAll,
  changeRules,
  type RuleChange,
  type SendRules,
} from '../../../../terraform-free-infra/aws/account/security-groups/change-rules.ts'
import { sshRule } from './desired.ts'
import type { ObservedGroup } from './ec2.ts'
import { isProvedByTags } from './observe.ts'
import { planRemoval } from './plan.ts'
import { type Uncertainty, uncertain } from './uncertainty.ts'
import { type BastionWork, type Continued, isRecent, type OnActions, unlistedInstance } from './work.ts'

/** docs/contract/provider-aws.md#bastion */
const terminatingMs = 10_000

/**
 * Deletes everything that is proved to be ours, in any state of the infrastructure. Returns undefined only if everything
 * that was created or may have been created is gone. "Not found" is no proof for something that is younger than EC2 needs to
 * show it.
 */
export const removeBastion = async (
  work: BastionWork,
  onActions: OnActions,
): Promise<Continued | undefined> => {
  const { desired, observed, state } = work
  const { instances, outdated, leaving, recorded } = observed
  // It is seen to end.
  if (recorded !== undefined && !instances.includes(recorded)) state.change({ instance: undefined })
  const running = [...instances, ...outdated]
  const ending = [...running, ...leaving]
  const unlisted = unlistedInstance(work)
  const isLast = ending.length === 0 && unlisted === undefined
  const actions = planRemoval(observed).actions.filter(({ kind }) => isLast || kind !== 'delete group')
  if (actions.length > 0) onActions(actions.map(({ sentence }) => sentence))
  const revokes = actions.flatMap(action => (action.kind === 'revoke' ? [action] : []))
  if (revokes.length > 0) await recordProof(work)
  const ids = [...running.map(({ id }) => id), ...(unlisted?.id === undefined ? [] : [unlisted.id])]
  await attemptAll([() => shutOut(work, revokes), ...ids.map(id => () => terminate(work, id))])
  if (ending.length > 0) {
    const all = ending.map(({ id }) => id).join(' and ')
    return pause({ description: `Waiting until instance ${all} is terminated` })
  }
  if (unlisted !== undefined)
    return pause(mayExist(`the instance ${unlisted.id ?? desired.names.instance}`, unlisted.since))
  return removeGroups(work)
}

/** Terminates an instance. EC2 ends it from then on, whether it lists it or not. */
const terminate = async ({ ec2, state }: BastionWork, id: string): Promise<void> => {
  try {
    await ec2.terminate(id)
    if (state.current().instance?.id === id) state.change({ instance: undefined })
  } catch (error) {
    if (!isRefusal(error, 'InvalidInstanceID.NotFound')) throw error
  }
}

/**
 * Records a group of the Go extension before its rules are removed, because only they may prove that it is ours. The shoot
 * has at most one.
 */
const recordProof = async ({ desired, observed, state, clock }: BastionWork): Promise<void> => {
  for (const group of observed.groups) {
    const { id, vpcId } = group
    if (isProvedByTags(desired, group) || id === state.current().group?.id) continue
    await state.save({ group: { id, vpcId, since: clock.now() } })
  }
}

/** Removes rules. A group that is gone has none. */
const shutOut = ({ ec2 }: BastionWork, revokes: readonly RuleChange[]): Promise<void> => {
  const send: SendRules = async change => {
    try {
      await ec2.changeRules(change)
    } catch (error) {
      if (!isRefusal(error, 'InvalidGroup.NotFound')) throw error
    }
  }
  return changeRules(revokes, send)
}

const removeGroups = async (work: BastionWork): Promise<Continued | undefined> => {
  const { desired, observed, state } = work
  const waits: Uncertainty[] = []
  const { group } = state.current()
  await attemptAll([
    ...observed.groups.map(one => async () => {
      const wait = await removeGroup(work, one)
      if (wait !== undefined) waits.push(wait)
    }),
    async () => {
      if (group === undefined || observed.groups.some(({ id }) => id === group.id) || !isRecent(work, group))
        return
      if (group.id !== undefined && (await isDeleted(work, group.id))) return
      waits.push(mayExist(`the security group ${group.id ?? desired.names.group}`, group.since))
    },
  ])
  const [wait] = waits
  return wait === undefined ? undefined : pause(wait)
}

/** Deletes a listed group. Returns a reason to wait if EC2 gives answers of different times. */
const removeGroup = async (
  work: BastionWork,
  { id, name, vpcId }: ObservedGroup,
): Promise<Uncertainty | undefined> => {
  const { observed, patience } = work
  try {
    // EC2 may have listed the rules of the nodes before SSH was let in.
    const workers = observed.workerGroups.filter(group => group.vpcId === vpcId)
    const revokes = workers.map(
      group => ({ kind: 'revoke', groupId: group.id, rules: [sshRule('ingress', id)] }) as const,
    )
    const isGone = await isDeleted(work, id).catch(async (error: unknown) => {
      if (!isInUse(error)) throw error
      await shutOut(work, revokes)
      return isDeleted(work, id)
    })
    if (isGone || patience.isOver('removal')) return undefined
    return uncertain(
      'removal',
      `EC2 no longer lists the security group ${name} (${id}), which it cannot find`,
    )
  } catch (error) {
    if (!isInUse(error) || patience.isOver('removal')) throw error
    return uncertain('removal', `the security group can be deleted: ${(error as Error).message}`)
  }
}

const pause = (wait: Pick<Continued, 'description' | 'waitsFor'>): Continued => ({
  kind: 'continue',
  afterMs: terminatingMs,
  progress: 50,
  ...wait,
})

const mayExist = (what: string, since: Timestamp): Uncertainty =>
  uncertain(
    'removal',
    `EC2 shows ${what}, which was or may have been created at ${formatSeconds(since)}, or until it is certainly gone at ${formatSeconds(since + consistentAfterMs)}`,
  )

const isInUse = (error: unknown): boolean => isRefusal(error, 'DependencyViolation')

/** Returns false if EC2 does not find the group: it is gone, or not visible yet. */
const isDeleted = async ({ ec2, state }: BastionWork, id: string): Promise<boolean> => {
  try {
    await ec2.deleteGroup(id)
    if (state.current().group?.id === id) state.change({ group: undefined })
    return true
  } catch (error) {
    if (isRefusal(error, 'InvalidGroup.NotFound')) return false
    throw error
  }
}

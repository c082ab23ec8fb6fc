import { formatSeconds, type Timestamp } from '../../../../shared/clock/clock.ts'
import { consistentAfterMs } from '../../../../terraform-free-infra/aws/account/consistent-after.ts'
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
import { type BastionWork, type ContinuedWork, isRecent, type OnActions, unlistedInstance } from './work.ts'

/** docs/contract/provider-aws.md#bastion */
const terminatingMs = 10_000

/**
 * Deletes everything that is proved to be ours, in any state of the infrastructure. Returns undefined only if
 * everything that was created or may have been created is gone. "Not found" is no proof for something that is younger
 * than EC2 needs to show it.
 */
export const removeBastion = async (
  work: BastionWork,
  onActions: OnActions,
): Promise<ContinuedWork | undefined> => {
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
 * Records a group of the Go extension before its rules are removed, because only they may prove that it is ours. The
 * shoot has at most one.
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

const removeGroups = async (work: BastionWork): Promise<ContinuedWork | undefined> => {
  const { desired, observed, state } = work
  const { names } = desired
  const { group } = state.current()
  const isUnlisted = isRecent(work, group) && !observed.groups.some(({ id }) => id === group?.id)
  const waits: (Uncertainty | undefined)[] = []
  const works = observed.groups.map(({ id, name, vpcId }) => async () => {
    const missing = `EC2 no longer lists the security group ${name} (${id}), which it cannot find`
    waits.push(await removeGroup(work, { id, vpcId }, uncertain('removal', missing)))
  })
  if (group !== undefined && isUnlisted)
    works.push(async () => {
      const { id, vpcId, since } = group
      const missing = mayExist(`the security group ${id ?? names.group}`, since)
      waits.push(id === undefined ? missing : await removeGroup(work, { id, vpcId }, missing))
    })
  await attemptAll(works)
  const wait = waits.find(one => one !== undefined)
  return wait && pause(wait)
}

/**
 * Deletes a group. Returns a reason to wait if EC2 gives answers of different times. `missing`: it does not find the
 * group, which is gone or not visible yet.
 */
const removeGroup = async (
  work: BastionWork,
  { id, vpcId }: Pick<ObservedGroup, 'id' | 'vpcId'>,
  missing: Uncertainty,
): Promise<Uncertainty | undefined> => {
  const { ec2, observed, patience, state } = work
  const remove = async () => {
    await ec2.deleteGroup(id)
    if (state.current().group?.id === id) state.change({ group: undefined })
  }
  // EC2 may have listed the rules of the nodes before SSH was let in.
  const letIn = observed.workerGroups
    .filter(group => group.vpcId === vpcId)
    .map(group => ({ kind: 'revoke', groupId: group.id, rules: [sshRule('ingress', id)] }) as const)
  try {
    await remove().catch(async (error: unknown) => {
      if (!isRefusal(error, 'DependencyViolation')) throw error
      await shutOut(work, letIn)
      await remove()
    })
    return undefined
  } catch (error) {
    if (isRefusal(error, 'InvalidGroup.NotFound')) return patience.isOver('removal') ? undefined : missing
    if (!isRefusal(error, 'DependencyViolation') || patience.isOver('removal')) throw error
    return uncertain('removal', `the security group can be deleted: ${(error as Error).message}`)
  }
}

const pause = (wait: Pick<ContinuedWork, 'description' | 'waitsFor'>): ContinuedWork => ({
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

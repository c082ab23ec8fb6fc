import { createHash } from 'node:crypto'
import { AwsError } from '../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import { markTag, objectTag } from '../../../../terraform-free-infra/aws/account/tags/mark-tag.ts'
import type { BastionEc2, NewInstance, ObservedGroup, ObservedInstance } from './ec2.ts'
import type { BastionAction, NewGroup } from './plan.ts'
import { type Rule, without } from './rules.ts'
import { isRefusal } from './sdk-ec2.ts'

/** All actions except those that create something. */
export type BastionChange = Exclude<BastionAction, { readonly kind: 'create group' | 'run instance' }>

export const isChange = (action: BastionAction): action is BastionChange =>
  action.kind !== 'create group' && action.kind !== 'run instance'

/**
 * Applies changes in order. A refused authorize call never delays a revoke. It is retried after the revokes, because a
 * full group may have room by then.
 */
export const changeAll = async (ec2: BastionEc2, actions: readonly BastionChange[]): Promise<void> => {
  const refused: BastionChange[] = []
  const revokes = actions.some(({ kind }) => kind === 'revoke')
  for (const action of actions)
    await change(ec2, action).catch((error: unknown) => {
      if (action.kind !== 'authorize' || !revokes || !(error instanceof AwsError)) throw error
      refused.push(action)
    })
  for (const action of refused) await change(ec2, action)
}

/** Applies a change. Succeeds if the object to delete is already gone, or the object to add already exists. */
const change = async (ec2: BastionEc2, action: BastionChange): Promise<void> => {
  switch (action.kind) {
    case 'authorize':
      return authorize(ec2, action.groupId, action.rules)
    case 'revoke':
      return revoke(ec2, action.groupId, action.rules)
    case 'terminate':
      return unlessGone(ec2.terminate(action.ids))
    case 'delete group':
      return unlessGone(ec2.deleteGroup(action.id))
  }
}

/**
 * Adds rules to a group. EC2 accepts all rules of a call or none, and refuses the call if one exists already: the SDK
 * repeated a call after a lost response, or another client was faster. The missing ones are then added.
 */
const authorize = async (ec2: BastionEc2, id: string, rules: readonly Rule[]): Promise<void> => {
  try {
    await ec2.authorize(id, rules)
  } catch (error) {
    if (!isRefusal(error, 'InvalidPermission.Duplicate')) throw error
    const missing = without(rules, (await ec2.groupOf(id))?.rules ?? [])
    if (missing.length > 0) await ec2.authorize(id, missing)
  }
}

/**
 * Removes rules from a group. EC2 also accepts all or none, so if one is gone already, the others are removed in a
 * second call.
 */
const revoke = async (ec2: BastionEc2, id: string, rules: readonly Rule[]): Promise<void> => {
  try {
    await ec2.revoke(id, rules)
  } catch (error) {
    if (isRefusal(error, 'InvalidGroup.NotFound')) return
    if (!isRefusal(error, 'InvalidPermission.NotFound')) throw error
    const there = (await ec2.groupOf(id))?.rules ?? []
    const left = without(rules, without(rules, there))
    if (left.length > 0) await ec2.revoke(id, left)
  }
}

const unlessGone = async (call: Promise<void>): Promise<void> => {
  try {
    await call
  } catch (error) {
    if (!isRefusal(error, 'InvalidGroup.NotFound', 'InvalidInstanceID.NotFound')) throw error
  }
}

/**
 * Creates the group of a Bastion and reads it, because the initial rules of a group depend on its VPC. Returns
 * undefined while EC2 does not show it. Accepts an existing group with a tag of the new one: the SDK may have repeated
 * a call after a lost response, or EC2 did not yet show the group of an earlier step or of a predecessor.
 */
export const createGroup = async (ec2: BastionEc2, group: NewGroup): Promise<ObservedGroup | undefined> => {
  try {
    return await ec2.groupOf(await ec2.createGroup(group))
  } catch (error) {
    if (!isRefusal(error, 'InvalidGroup.Duplicate')) throw error
    const there = (await ec2.groupsNamed([group.name])).find(({ vpcId }) => vpcId === group.vpcId)
    const hasTag = (tag: string) => tag in group.tags && there?.tags[tag] === group.tags[tag]
    if (there === undefined || [markTag, objectTag].some(hasTag)) return there
    throw error
  }
}

/** Maximum instances of one Bastion that may have been terminated externally within a day. */
const mostTokens = 20

/**
 * Starts the instance of a Bastion exactly once. If a process dies before it gets the response, the next one uses the
 * same token and starts no second instance. EC2 remembers a token for a day after its instance was terminated and then
 * refuses it, so each ended instance needs a new token. `ended`: the number of ended instances that EC2 still lists.
 */
export const runOnce = async (
  ec2: BastionEc2,
  instance: NewInstance,
  { uid, ended }: { readonly uid: string; readonly ended: number },
): Promise<ObservedInstance> => {
  for (let number = ended; ; number++) {
    try {
      return await ec2.runInstance(instance, tokenOf(uid, instance, number))
    } catch (error) {
      if (!isRefusal(error, 'IdempotentInstanceTerminated') || number - ended >= mostTokens) throw error
    }
  }
}

/** Includes the parameters, because EC2 refuses a known token with other parameters. At most 64 characters. */
const tokenOf = (uid: string, instance: NewInstance, number: number): string =>
  createHash('sha256')
    .update(JSON.stringify([uid, number, ...Object.entries(instance).sort()]))
    .digest('hex')

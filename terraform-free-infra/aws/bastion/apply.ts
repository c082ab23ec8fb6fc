import { createHash } from 'node:crypto'
import type { BastionEc2, NewInstance, ObservedInstance } from './ec2.ts'
import type { BastionAction } from './plan.ts'
import { isRefusal } from './sdk-ec2.ts'

type BastionChange = Exclude<BastionAction, { readonly kind: 'create group' | 'run instance' }>

/** Makes a change. What is to go and is gone already is no error. */
export const change = async (ec2: BastionEc2, action: BastionChange): Promise<void> => {
  switch (action.kind) {
    case 'authorize':
      return ec2.authorize(action.groupId, action.rules)
    case 'revoke':
      return unlessGone(ec2.revoke(action.groupId, action.rules))
    case 'terminate':
      return unlessGone(ec2.terminate(action.ids))
    case 'delete group':
      return unlessGone(ec2.deleteGroup(action.id))
  }
}

const unlessGone = async (call: Promise<void>): Promise<void> => {
  try {
    await call
  } catch (error) {
    if (
      !isRefusal(error, 'InvalidPermission.NotFound', 'InvalidGroup.NotFound', 'InvalidInstanceID.NotFound')
    )
      throw error
  }
}

/** So many instances of one Bastion may have been terminated by somebody else within a day. */
const mostTokens = 20

/**
 * Starts the instance of a Bastion, once: a process that dies before it hears of it starts no second one, because the next
 * one asks with the same token. EC2 keeps a token for a day after its instance was terminated, and refuses it then, so
 * each instance that has ended takes another. `ended`: as many as EC2 still lists.
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

/** Of what is asked for, too: EC2 refuses a token that comes with something else. At most 64 characters. */
const tokenOf = (uid: string, instance: NewInstance, number: number): string =>
  createHash('sha256')
    .update(JSON.stringify([uid, number, ...Object.entries(instance).sort()]))
    .digest('hex')

import { createHash } from 'node:crypto'
import { isRefusal } from '../../../../terraform-free-infra/aws/account/errors/aws-error.ts'
import { type DesiredBastion, tagsFor } from './desired.ts'
import type { BastionEc2, NewInstance, ObservedInstance } from './ec2.ts'
import { mayHaveHappened } from './may-have-happened.ts'
import type { BastionStateWriter, RecordedLaunch } from './state.ts'

/** Maximum calls of a step whose tokens EC2 refuses as used. The next step continues with the next token. */
const mostCalls = 5

/**
 * Starts the instance of a Bastion exactly once. Records the call before it is sent. If a process dies before it gets
 * the response, the next one repeats the call with the same token and starts no second instance. EC2 remembers a token
 * for a day after its instance was terminated and then refuses it, so each ended instance needs a new token.
 *
 * @param number the number of instances before this one, as far as known
 */
export const startInstance = async (
  ec2: BastionEc2,
  desired: DesiredBastion,
  { launch, number: first }: { readonly launch: Omit<RecordedLaunch, 'token'>; readonly number: number },
  state: BastionStateWriter,
  now: () => number,
): Promise<ObservedInstance> => {
  const { userData } = desired
  const { imageId, type, groupId, subnetId, ipv6 } = launch
  const tags = tagsFor(desired, desired.names.instance)
  const instance: NewInstance = { imageId, type, groupId, subnetId, userData, ipv6, tags }
  for (let number = first; ; number++) {
    const { instance: before } = state.current()
    const token = tokenOf(desired.uid, instance, number)
    const call = { number, launch: { token, imageId, type, groupId, subnetId, ipv6 }, since: now() }
    await state.save({ instance: call })
    try {
      const started = await ec2.runInstance(instance, token)
      state.change({ instance: { ...call, id: started.id } })
      return started
    } catch (error) {
      if (isRefusal(error, 'IdempotentInstanceTerminated') && number - first < mostCalls) continue
      if (!mayHaveHappened(error)) await state.save({ instance: before })
      throw error
    }
  }
}

/** Includes the parameters, because EC2 refuses a known token with other parameters. At most 64 characters. */
const tokenOf = (uid: string, instance: NewInstance, number: number): string =>
  createHash('sha256')
    .update(JSON.stringify([uid, number, ...Object.entries(instance).sort()]))
    .digest('hex')

import type { Infrastructure } from '../../../shared/contract/schemas/infrastructure.ts'
import type { StepContext } from '../../../shared/lifecycle/actuator.ts'
import type { AwsCloud } from '../../../terraform-free-infra/aws/infrastructure/cloud.ts'
import {
  type NetworkReads,
  networkReads,
} from '../../../terraform-free-infra/aws/infrastructure/network/reads.ts'
import { type Read, reader } from '../../../terraform-free-infra/engine/engine.ts'
import type { Connect } from './connect.ts'
import { type Desired, desiredInfrastructure } from './desired.ts'
import { readConfig } from './read-config.ts'
import { stateCodec } from './state.ts'

/** What a step goes by towards what is wished: the wish, the account, and what it has read there so far. */
export interface Look extends Desired {
  readonly cloud: AwsCloud
  readonly reads: NetworkReads
  readonly read: Read<AwsCloud>
}

type LookContext = Pick<StepContext<Infrastructure>, 'object' | 'cluster' | 'secret' | 'signal' | 'guard'>

/** The look of one step: the same for its check and its plan, so that what both go by is read once. */
export type LookOf = (step: LookContext) => Promise<Look>

/** Looks end with the contexts of their steps: what one step has read, another never sees. */
export const createLooks = (connect: Connect): LookOf => {
  const looks = new WeakMap<LookContext, Promise<Look>>()
  return step => {
    const known = looks.get(step)
    if (known !== undefined) return known
    const look = beginLook(connect, step)
    looks.set(step, look)
    return look
  }
}

const beginLook = async (connect: Connect, step: LookContext): Promise<Look> => {
  const { object, cluster, signal } = step
  const state = stateCodec.decode(object.status?.state)
  const desired = desiredInfrastructure({ object, cluster, config: readConfig(object), state })
  const cloud = await connect(step)
  return {
    ...desired,
    cloud,
    reads: networkReads(desired.wish),
    read: reader({ cloud, state: desired.state, signal }),
  }
}

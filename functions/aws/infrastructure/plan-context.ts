import type { Infrastructure } from '../../../shared/contract/schemas/infrastructure.ts'
import type { StepContext } from '../../../shared/lifecycle/actuator.ts'
import type { AwsCloud } from '../../../terraform-free-infra/aws/infrastructure/cloud.ts'
import {
  type NetworkReads,
  networkReads,
} from '../../../terraform-free-infra/aws/infrastructure/network/reads.ts'
import { type Read, reader } from '../../../terraform-free-infra/engine/engine.ts'
import type { ConnectAws } from './connect.ts'
import { type Goal, goalOf } from './goal.ts'
import { readConfig } from './read-config.ts'
import { stateCodec } from './state.ts'

/** What a step goes by towards what is wished: the wish, the account, and what it has read there so far. */
export interface PlanContext extends Goal {
  readonly cloud: AwsCloud
  readonly reads: NetworkReads
  readonly read: Read<AwsCloud>
}

type PlanContextInput = Pick<
  StepContext<Infrastructure>,
  'object' | 'cluster' | 'secret' | 'signal' | 'throwIfExpired'
>

/** The look of one step: the same for its check and its plan, so that what both go by is read once. */
export type PlanContextOf = (step: PlanContextInput) => Promise<PlanContext>

/** Looks end with the contexts of their steps: what one step has read, another never sees. */
export const createPlanContexts = (connect: ConnectAws): PlanContextOf => {
  const planContexts = new WeakMap<PlanContextInput, Promise<PlanContext>>()
  return step => {
    const known = planContexts.get(step)
    if (known !== undefined) return known
    const planContext = newPlanContext(connect, step)
    planContexts.set(step, planContext)
    return planContext
  }
}

const newPlanContext = async (connect: ConnectAws, step: PlanContextInput): Promise<PlanContext> => {
  const { object, cluster, signal } = step
  const state = stateCodec.decode(object.status?.state)
  const goal = goalOf({ object, cluster, config: readConfig(object), state })
  const cloud = await connect(step)
  return {
    ...goal,
    cloud,
    reads: networkReads(goal.desired),
    read: reader({ cloud, state: goal.state, signal }),
  }
}

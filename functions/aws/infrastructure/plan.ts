import type { Clock } from '../../../shared/clock/clock.ts'
import type { Cluster } from '../../../shared/contract/schemas/cluster.ts'
import type { Infrastructure } from '../../../shared/contract/schemas/infrastructure.ts'
import type { Secret } from '../../../shared/lifecycle/actuator.ts'
import type { AwsConnection } from '../../../terraform-free-infra/aws/aws.ts'
import type { AwsCloud } from '../../../terraform-free-infra/aws/infrastructure/cloud.ts'
import { infrastructureGraph } from '../../../terraform-free-infra/aws/infrastructure/graph.ts'
import { withErrorCodes } from '../../../terraform-free-infra/aws/infrastructure/with-error-codes.ts'
import { graphOf, type Plan, planGraph } from '../../../terraform-free-infra/engine/engine.ts'
import { checkInfrastructure } from './check.ts'
import { createConnect } from './connect.ts'
import { goalOf } from './goal.ts'
import { createPlanContexts } from './plan-context.ts'
import { readConfig } from './read-config.ts'
import { isNothingMade, stateCodec } from './state.ts'
import { validateInfrastructure } from './validate.ts'

export interface InfrastructurePlanInput {
  readonly object: Infrastructure
  readonly cluster: Cluster | undefined
  readonly secret: Secret
  readonly connection: AwsConnection
  readonly clock: Clock
  readonly signal: AbortSignal
  /** What deleting would do, instead of reconciling. */
  readonly destroy?: boolean
}

/**
 * What the next step of the function would do with an object: the very plan that it applies. Looks and changes nothing;
 * throws what the step would throw before it does something.
 */
export const planInfrastructure = ({
  connection,
  clock,
  signal,
  destroy = false,
  ...input
}: InfrastructurePlanInput): Promise<Plan<AwsCloud>> => {
  const { object, cluster } = input
  const connect = createConnect({ connection, clock })
  const work = async () => {
    const step = { ...input, signal, throwIfExpired: refuse }
    if (!destroy) {
      await checkInfrastructure(input)
      const planContextOf = createPlanContexts(connect)
      await validateInfrastructure(planContextOf, step)
      const { desired, reads, ...planContext } = await planContextOf(step)
      return planGraph({ ...planContext, clock, signal, graph: infrastructureGraph(desired, {}, reads) })
    }
    const state = stateCodec.decode(object.status?.state)
    const common = { cloud: await connect(step), clock, signal, destroy }
    // The function asks nothing of AWS then, so nothing would be deleted.
    if (isNothingMade(state)) return planGraph({ ...common, graph: graphOf<AwsCloud>().build(), state })
    const config = readConfig(object, { lenient: true })
    const goal = goalOf({ object, cluster, config, state })
    const graph = infrastructureGraph(goal.desired, { destroying: true })
    return planGraph({ ...common, graph, state: goal.state })
  }
  return withErrorCodes(work())
}

const refuse = (): never => {
  throw new Error('a plan changes nothing')
}

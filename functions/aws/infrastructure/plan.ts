import type { Clock } from '../../../shared/clock/clock.ts'
import type { Cluster } from '../../../shared/contract/schemas/cluster.ts'
import type { Infrastructure } from '../../../shared/contract/schemas/infrastructure.ts'
import type { Secret } from '../../../shared/lifecycle/actuator.ts'
import type { AwsConnection } from '../../../terraform-free-infra/aws/client/client-settings.ts'
import type { AwsCloud } from '../../../terraform-free-infra/aws/infrastructure/cloud.ts'
import { infrastructureGraph } from '../../../terraform-free-infra/aws/infrastructure/graph.ts'
import { graphOf, type Plan, planStep } from '../../../terraform-free-infra/engine/engine.ts'
import { checkInfrastructure } from './check.ts'
import { coded } from './coded.ts'
import { createConnect } from './connect.ts'
import { desiredInfrastructure } from './desired.ts'
import { createLooks } from './look.ts'
import { readConfig } from './read-config.ts'
import { isNothingMade, stateCodec } from './state.ts'
import { validateInfrastructure } from './validate.ts'

export interface PlanInput {
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
}: PlanInput): Promise<Plan<AwsCloud>> => {
  const { object, cluster } = input
  const connect = createConnect({ connection, clock })
  const work = async () => {
    const step = { ...input, signal, guard: refuse }
    if (!destroy) {
      await checkInfrastructure(input)
      const lookOf = createLooks(connect)
      await validateInfrastructure(lookOf, step)
      const { wish, reads, ...look } = await lookOf(step)
      return planStep({ ...look, clock, signal, graph: infrastructureGraph(wish, {}, reads) })
    }
    const state = stateCodec.decode(object.status?.state)
    const common = { cloud: await connect(step), clock, signal, destroy }
    // The function asks nothing of AWS then, so nothing would be deleted.
    if (isNothingMade(state)) return planStep({ ...common, graph: graphOf<AwsCloud>().build(), state })
    const config = readConfig(object, { lenient: true })
    const desired = desiredInfrastructure({ object, cluster, config, state })
    const graph = infrastructureGraph(desired.wish, { destroying: true })
    return planStep({ ...common, graph, state: desired.state })
  }
  return coded(work())
}

const refuse = (): never => {
  throw new Error('a plan changes nothing')
}

import type { Infrastructure } from '../../../shared/contract/schemas/infrastructure.ts'
import type { StepContext } from '../../../shared/lifecycle/actuator.ts'
import { accountProblems } from '../../../terraform-free-infra/aws/infrastructure/account/account-problems.ts'
import { changeProblems } from '../../../terraform-free-infra/aws/infrastructure/account/change-problems.ts'
import { cidrProblems } from '../../../terraform-free-infra/aws/infrastructure/config/problems/cidr-problems.ts'
import { cloudProfileProblems } from '../../../terraform-free-infra/aws/infrastructure/config/problems/cloud-profile-problems.ts'
import { desiresIpv6 } from '../../../terraform-free-infra/aws/infrastructure/network/network.ts'
import { subnetKinds } from '../../../terraform-free-infra/aws/infrastructure/network/subnets/subnet-kinds.ts'
import { zoneKey } from '../../../terraform-free-infra/aws/infrastructure/state-keys.ts'
import type { PlanContextOf } from './plan-context.ts'
import { readConfig, refusal, refuseConfig } from './read-config.ts'
import { networkingOf, offeredZones, workerProblems } from './shoot.ts'
import { stateCodec } from './state.ts'
import { hasSuffix } from './zone-suffixes.ts'

/**
 * What is wrong with a config for this shoot, and with that of the user's account which it names
 * (docs/contract/provider-aws.md#rules-for-the-config, docs/contract/provider-aws.md#checks-in-the-account). A step
 * that only goes on does not ask AWS again.
 */
export const validateInfrastructure = async (
  planContextOf: PlanContextOf,
  step: Pick<
    StepContext<Infrastructure>,
    'object' | 'cluster' | 'secret' | 'signal' | 'throwIfExpired' | 'resumed'
  >,
): Promise<void> => {
  const { object, cluster, signal } = step
  const config = readConfig(object)
  const state = stateCodec.decode(object.status?.state)
  const networking = networkingOf(cluster)
  const pools = workerProblems(cluster)
  if (pools.length > 0) throw refusal(pools)
  refuseConfig([
    ...cidrProblems(config, networking),
    ...cloudProfileProblems(config, offeredZones(cluster, object.spec.region), zone =>
      hasSuffix(state, zone),
    ),
  ])
  if (step.resumed) return
  const { desired, cloud, reads, read, ...planContext } = await planContextOf(step)
  refuseConfig(await changeProblems({ desired, state, config, reads, read }))
  refuseConfig(
    await accountProblems({
      cloud,
      reads,
      read,
      state: planContext.state,
      signal,
      config,
      clusterName: desired.clusterName,
      uid: desired.uid,
      ipv6: desiresIpv6(desired),
      nodes: networking.nodes,
      isMissing: (zone, kind) =>
        state[zoneKey(zone, subnetKinds[kind].stateKey)] === undefined &&
        (kind !== 'workers' || desired.ipFamilies.includes('IPv4')),
    }),
  )
}

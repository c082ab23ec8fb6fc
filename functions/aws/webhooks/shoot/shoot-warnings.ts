import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { ShootSpec } from '../../../../shared/webhooks/garden/garden.ts'
import { nodeChanges, nodeWarnings } from '../../../../shared/worker/rolls/rolls.ts'
import {
  desiredInfrastructure,
  disruptiveChanges,
  type InfrastructureConfig,
} from '../../../../terraform-free-infra/aws/infrastructure/rules.ts'
import { machineHashInputs } from '../../worker/machines/machines.ts'

/** A Shoot, whole and in parts. */
export interface WarnedShoot {
  readonly object: KubernetesObject
  readonly spec: ShootSpec
  readonly config: InfrastructureConfig
}

/**
 * Returns what a change of a Shoot does to its nodes and its network (docs/contract/admission.md#warnings-of-a-change).
 * Throws an Error for a Shoot or a pool without a hash.
 */
export const shootWarnings = (former: WarnedShoot, next: WarnedShoot): readonly string[] => [
  ...nodeWarnings(nodeChanges(machineHashInputs, { former: former.object, next: next.object })),
  ...disruptiveChanges(desiredOf(former), desiredOf(next)),
]

/** The desired infrastructure, but for names and ids, which no change of a Shoot affects. */
const desiredOf = ({ spec: { networking, region }, config }: WarnedShoot) =>
  desiredInfrastructure(
    {
      clusterName: '',
      uid: '',
      region: region ?? '',
      sshPublicKey: undefined,
      shoot: {
        uid: undefined,
        networking: {
          ipFamilies: networking?.ipFamilies ?? undefined,
          nodes: networking?.nodes ?? undefined,
          pods: networking?.pods ?? undefined,
          services: networking?.services ?? undefined,
        },
        networkConfig: networking?.providerConfig,
        workerConfigs: [],
        cloudProfile: undefined,
      },
    },
    config,
    {},
  ).desired

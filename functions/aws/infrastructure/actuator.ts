import { conditionOf } from '../../../shared/contract/conditions.ts'
import type { Cluster, Infrastructure } from '../../../shared/contract/objects.ts'
import { mergePatch } from '../../../shared/kubernetes/kubernetes.ts'
import type { Actuator, StepContext } from '../../../shared/lifecycle/lifecycle.ts'
import type { AwsConnection } from '../../../terraform-free-infra/aws/account/aws.ts'
import {
  checkInfrastructure,
  createInfrastructure,
  type InfrastructureRequest,
  type ShootFacts,
  withErrorCodes,
} from '../../../terraform-free-infra/aws/infrastructure/infrastructure.ts'
import {
  type InfrastructureDeps,
  infrastructureFlow,
  type RequestSource,
  requestPartsOf,
  shootNetworksOf,
  warnOfLeft,
} from '../../../terraform-free-infra/cloud/infrastructure.ts'
import { infrastructureOrphans } from './orphans.ts'
import { retainedCondition, retainedType } from './retained-condition.ts'

/**
 * Reconciles Infrastructures of type `aws` (docs/contract/kinds.md#infrastructure and
 * docs/contract/provider-aws.md#infrastructure).
 */
export const infrastructureActuator = ({
  connection,
  clock,
  waitScale = 1,
}: InfrastructureDeps<AwsConnection>): Actuator<Infrastructure> => {
  const begin = createInfrastructure({ connection, clock, waitScale })
  /** Tracks the state of a step, for its errors. */
  const tracked = new WeakMap<StepContext<Infrastructure>, { state: unknown }>()
  const stateOf = (step: StepContext<Infrastructure>): { state: unknown } => {
    const known = tracked.get(step) ?? { state: step.object.status?.state }
    tracked.set(step, known)
    return known
  }
  return infrastructureFlow({
    cloud: 'AWS',
    clock,
    waitScale,
    begin: step => begin(requestOf(step)),
    marks: 'tags in the account',
    coded: (step, work) =>
      withErrorCodes(work, {
        state: () => stateOf(step).state,
        config: () => step.object.spec.providerConfig,
        now: () => clock.now(),
      }),
    onSave: (step, patch) => {
      const known = stateOf(step)
      known.state = mergePatch(known.state ?? {}, patch)
    },
    reconciled: (step, { left, status }) => {
      const condition = retainedCondition(left)
      const before = conditionOf(step.object.status?.conditions, retainedType)
      // Logs a message only once.
      if (condition?.message !== before?.message) warnOfLeft(step, left)
      return { kind: 'done', status: { ...status }, conditions: { [retainedType]: condition } }
    },
    check: ({ object: { spec }, secret }) => checkInfrastructure({ ...spec, secret }),
    orphans: ({ object }) => infrastructureOrphans(object),
  })
}

/**
 * Names a VPC. With this annotation the operator declares that all resources in it with the cluster's tag belong to
 * this shoot. Required if the state is lost and the account contains no proof.
 */
const adoptAnnotation = 'trellis.gardener.cloud/adopt-vpc'

export const requestOf = ({ cluster, ...step }: RequestSource): InfrastructureRequest => ({
  ...requestPartsOf(step),
  clusterName: step.object.metadata.namespace ?? step.object.metadata.name,
  adopt: step.object.metadata.annotations?.[adoptAnnotation] || undefined,
  shoot: shootOf(cluster),
})

const shootOf = (cluster: Cluster | undefined): ShootFacts => {
  const shoot = cluster?.spec.shoot
  return {
    uid: shoot?.metadata?.uid ?? undefined,
    networking: shootNetworksOf(cluster),
    networkConfig: shoot?.spec?.networking?.providerConfig,
    workerConfigs: (shoot?.spec?.provider?.workers ?? []).map(({ providerConfig }) => providerConfig),
    cloudProfile: cluster?.spec.cloudProfile.spec,
  }
}

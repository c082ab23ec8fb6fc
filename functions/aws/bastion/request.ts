import * as z from 'zod'
import type { Bastion } from '../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { Secret, StepContext } from '../../../shared/lifecycle/lifecycle.ts'
import type { BastionRequest } from './ec2/bastion.ts'

/** Objects that a Bastion needs and that its step does not provide. */
export interface BesideBastion {
  readonly secret: Secret
  readonly infrastructure: KubernetesObject | undefined
}

export const identityOf = ({ metadata, spec }: Bastion) => ({
  clusterName: metadata.namespace ?? '',
  name: metadata.name,
  uid: metadata.uid ?? '',
  userData: spec.userData,
  ingress: spec.ingress.map(({ ipBlock }) => ipBlock),
})

/** The request of a Bastion. Null counts as absent, as in Go. */
export const requestOf = (
  {
    object,
    cluster,
    signal,
    throwIfExpired,
  }: Pick<StepContext<Bastion>, 'object' | 'cluster' | 'signal' | 'throwIfExpired'>,
  { secret, infrastructure }: BesideBastion,
): BastionRequest => {
  const shoot = cluster?.spec.shoot.spec
  return {
    ...identityOf(object),
    ipFamilies: shoot?.networking?.ipFamilies ?? [],
    region: shoot?.region ?? undefined,
    vpcId: made.safeParse(infrastructure).data?.status.providerStatus.vpc.id,
    vpcStays: infrastructure !== undefined && infrastructure.metadata.deletionTimestamp === undefined,
    cloudProfile: cluster?.spec.cloudProfile.spec ?? undefined,
    secret,
    signal,
    throwIfExpired,
  }
}

/** The status of an Infrastructure after its network was created. */
const made = z.object({
  status: z.object({ providerStatus: z.object({ vpc: z.object({ id: z.string().min(1) }) }) }),
})

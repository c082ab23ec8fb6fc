import * as z from 'zod'
import type { Bastion } from '../../../shared/contract/objects.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { Secret, StepContext } from '../../../shared/lifecycle/lifecycle.ts'
import type { BastionRequest } from './ec2/bastion.ts'

/** What stands beside a Bastion, and is not of its step. */
export interface BesideBastion {
  readonly secret: Secret
  /** The Infrastructure of the shoot. */
  readonly infrastructure: KubernetesObject | undefined
}

/** What a Bastion says itself. */
export const identityOf = ({ metadata, spec }: Bastion) => ({
  clusterName: metadata.namespace ?? '',
  name: metadata.name,
  uid: metadata.uid ?? '',
  userData: spec.userData,
  ingress: spec.ingress.map(({ ipBlock }) => ipBlock),
})

/** What a Bastion asks for. Null is absent, as Go reads it. */
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

/** What an Infrastructure says once its network has been made. */
const made = z.object({
  status: z.object({ providerStatus: z.object({ vpc: z.object({ id: z.string().min(1) }) }) }),
})

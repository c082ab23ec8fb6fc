import * as z from 'zod'
import { parseTimestamp } from '../../../shared/clock/clock.ts'
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

type RequestContext = Pick<
  StepContext<Bastion>,
  'object' | 'cluster' | 'signal' | 'throwIfExpired' | 'saveStatus' | 'waited'
>

/** The request of a Bastion. Null counts as absent, as in Go. */
export const requestOf = (
  { object, cluster, signal, throwIfExpired, saveStatus, waited }: RequestContext,
  { secret, infrastructure }: BesideBastion,
): BastionRequest => {
  const shoot = cluster?.spec.shoot.spec
  const vpc = made.safeParse(infrastructure).data?.status.providerStatus.vpc
  return {
    ...identityOf(object),
    ipFamilies: shoot?.networking?.ipFamilies ?? [],
    region: shoot?.region ?? undefined,
    vpcId: vpc?.id,
    subnetIds: vpc?.subnets?.map(({ id }) => id) ?? [],
    vpcStays: infrastructure !== undefined && infrastructure.metadata.deletionTimestamp === undefined,
    networkChangedAt: parseTimestamp(
      changed.safeParse(infrastructure).data?.status.lastOperation.lastUpdateTime,
    ),
    cloudProfile: cluster?.spec.cloudProfile.spec ?? undefined,
    secret,
    state: object.status?.state,
    saveState: state => saveStatus({ state }),
    waited,
    signal,
    throwIfExpired,
  }
}

/** The status of an Infrastructure after its network was created. */
const made = z.object({
  status: z.object({
    providerStatus: z.object({
      vpc: z.object({ id: z.string().min(1), subnets: z.array(z.object({ id: z.string() })).nullish() }),
    }),
  }),
})

/** An Infrastructure that is or was just changed. A failed one retries for hours, without a change. */
const changed = z.object({
  status: z.object({
    lastOperation: z.object({ state: z.enum(['Processing', 'Succeeded']), lastUpdateTime: z.string() }),
  }),
})

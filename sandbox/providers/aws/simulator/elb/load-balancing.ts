import type { Rates } from '../faults/rates.ts'
import { commonRefusals } from '../serve/refusals.ts'

/** The common part of the services of classic and other load balancers. They are two versions of one API. */
export const loadBalancing = {
  scope: 'regional',
  signingName: 'elasticloadbalancing',
  // Tags on a new resource need an extra permission ("Tag resources during creation", ELB user guide).
  actionsOf: (operation: string, { Tags }: Readonly<Record<string, unknown>>): readonly string[] => [
    `elasticloadbalancing:${operation}`,
    ...(operation.startsWith('Create') && Array.isArray(Tags) && Tags.length > 0
      ? ['elasticloadbalancing:AddTags']
      : []),
  ],
  largestBody: 1024 * 1024,
  refusals: {
    ...commonRefusals,
    // "Request throttling for the ELB API", ELB user guide.
    throttled: () => ({ code: 'ThrottlingException', message: 'Rate exceeded', status: 400 }),
  },
} as const

const reads = { burst: 40, perSecond: 10 }

/** Each version of the API has one bucket for all read actions (same page). The other limits are not documented. */
export const loadBalancingRates: Rates = { 'elb:Describe*': reads, 'elbv2:Describe*': reads }

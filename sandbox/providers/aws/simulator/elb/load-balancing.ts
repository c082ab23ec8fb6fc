import type { Rates } from '../faults/rates.ts'
import { commonRefusals } from '../serve/refusals.ts'

/** What the services of classic and other load balancers have in common: they are two versions of one API. */
export const loadBalancing = {
  scope: 'regional',
  signingName: 'elasticloadbalancing',
  // What is made with tags is tagged ("Tag resources during creation", ELB user guide).
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

/** Each version of the API has one bucket for all that only reads (same page); nothing is known of the others. */
export const loadBalancingRates: Rates = { 'elb:Describe*': reads, 'elbv2:Describe*': reads }

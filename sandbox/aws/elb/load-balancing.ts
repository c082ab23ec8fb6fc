import type { Rates } from '../faults/throttle.ts'
import { commonRefusals } from '../serve/refusals.ts'

/** What the services of classic and other load balancers have in common: they are two versions of one API. */
export const loadBalancing = {
  scope: 'regional',
  signingName: 'elasticloadbalancing',
  actionOf: (operation: string): string => `elasticloadbalancing:${operation}`,
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

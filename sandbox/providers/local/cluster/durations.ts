/** Durations in a real cluster, in ms. */
export const durations = {
  podReady: 4_000,
  /** Until a load balancer has an address. */
  loadBalancer: 6_000,
  /** Until a deletion is complete. */
  podGone: 5_000,
  loadBalancerGone: 3_000,
  namespaceGone: 10_000,
} as const

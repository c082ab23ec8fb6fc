import { type DurationSettings, scaledDurations } from '../durations.ts'

/**
 * The durations of load balancers in milliseconds. The values are typical observations. "It can take several minutes"
 * until the interfaces of a deleted one are gone ("Delete an Application Load Balancer", ELB user guide).
 */
const typical = {
  active: 120_000,
  interfacesReleased: 180_000,
} as const

export type LoadBalancerDurations = Readonly<Record<keyof typeof typical, number>>

export interface LoadBalancerSettings {
  readonly durations?: DurationSettings<keyof typeof typical>
}

export const durationsOf = ({ durations }: LoadBalancerSettings = {}): LoadBalancerDurations =>
  scaledDurations(typical, durations)

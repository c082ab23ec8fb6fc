import { type DurationSettings as Settings, scaledDurations } from '../../durations.ts'

/**
 * AWS's durations in milliseconds. The values are typical observations. EC2 lists deleted resources for one hour, which
 * is documented ("NAT gateways", VPC user guide; "Terminate instances", EC2 user guide).
 */
const typical = {
  vpcAvailable: 1_000,
  subnetAvailable: 1_000,
  cidrBlockAssociated: 3_000,
  cidrBlockDisassociated: 3_000,
  natGatewayAvailable: 100_000,
  natGatewayFailed: 30_000,
  natGatewayDeleted: 50_000,
  natGatewayListed: 3_600_000,
  natAddressAssociated: 10_000,
  // From the time at which the gateway is available. EC2 promises none.
  natAddressShown: 0,
  // `MaxDrainDurationSeconds` by default (DisassociateNatGatewayAddress, API reference).
  natAddressDrained: 350_000,
  gatewayEndpointAvailable: 0,
  gatewayEndpointDeleted: 5_000,
  interfaceEndpointAvailable: 60_000,
  interfaceEndpointDeleted: 40_000,
  instanceRunning: 12_000,
  instanceChecked: 120_000,
  instanceStopped: 40_000,
  instanceTerminated: 45_000,
  instanceListed: 3_600_000,
  volumeAvailable: 3_000,
  volumeAttached: 2_000,
  volumeDetached: 5_000,
  volumeDeleted: 2_000,
} as const

export type Ec2Durations = { readonly [Name in keyof typeof typical]: number }
export type Ec2DurationSettings = Settings<keyof Ec2Durations>

export const durationsOf = (settings?: Ec2DurationSettings): Ec2Durations =>
  scaledDurations<keyof Ec2Durations>(typical, settings)

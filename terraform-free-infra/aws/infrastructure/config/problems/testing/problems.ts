import type { Problem } from '../../../../../../shared/decode/problems.ts'
import { apiVersion, decodeConfig, type InfrastructureConfig } from '../../config.ts'
import type { ShootNetworking } from '../cidr-problems.ts'

/** Zones with created subnets. */
export const zoneA = {
  name: 'eu-west-1a',
  workers: '10.250.0.0/19',
  internal: '10.250.112.0/22',
  public: '10.250.96.0/22',
}
export const zoneB = {
  name: 'eu-west-1b',
  workers: '10.250.32.0/19',
  internal: '10.250.120.0/22',
  public: '10.250.104.0/22',
}
/** Zones with the user's subnets. */
export const ownA = { name: 'eu-west-1a', workersSubnetID: 'subnet-a' }
export const ownB = { name: 'eu-west-1b', workersSubnetID: 'subnet-b' }

/** A created VPC and one of the user. */
export const made = { cidr: '10.250.0.0/16' }
export const existing = { id: 'vpc-1' }

/** A test's differences from one zone in a created VPC. */
export interface Parts {
  readonly zones?: readonly object[]
  readonly vpc?: object
  readonly networks?: object
  readonly rest?: object
}
export const configOf = ({
  zones = [zoneA],
  vpc = made,
  networks,
  rest,
}: Parts = {}): InfrastructureConfig => {
  const decoded = decodeConfig({
    apiVersion,
    kind: 'InfrastructureConfig',
    networks: { vpc, zones, ...networks },
    ...rest,
  })
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.problems))
  return decoded.config
}

/** Networks that fit the zones. */
export const shoot: ShootNetworking = {
  ipFamilies: ['IPv4'],
  nodes: '10.250.0.0/16',
  pods: '100.96.0.0/11',
  services: '100.64.0.0/13',
}

/** One text per problem. */
export const lines = (problems: readonly Problem[]): string[] =>
  problems.map(({ path, message }) => `${path}: ${message}`)

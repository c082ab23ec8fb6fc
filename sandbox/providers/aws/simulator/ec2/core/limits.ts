/** The most there may be of a resource. Absent: no limit. */
export interface Limits {
  /** In a region. */
  readonly vpcs?: number
  /** In a VPC. */
  readonly subnets?: number
  /** In a region. */
  readonly internetGateways?: number
  /** In a region. */
  readonly egressOnlyGateways?: number
  /** In a region. */
  readonly addresses?: number
  /** In an Availability Zone. */
  readonly natGateways?: number
  /** In a VPC. */
  readonly routeTables?: number
  /** In a route table. */
  readonly routes?: number
  /** In a region. */
  readonly securityGroups?: number
  /** In each direction of a security group. */
  readonly rules?: number
  /** On a network interface. */
  readonly groupsPerInterface?: number
  /** Gateway endpoints in a region. */
  readonly gatewayEndpoints?: number
  /** Interface endpoints in a VPC. */
  readonly interfaceEndpoints?: number
  /** In a region. */
  readonly networkInterfaces?: number
  /** vCPUs of running on-demand instances in a region. */
  readonly vcpus?: number
  /** IPv4 blocks of a VPC, and as many of IPv6. */
  readonly cidrBlocks?: number
}

/** The quotas of a new account: "Amazon VPC quotas" (VPC user guide), "On-Demand Instance quotas" (EC2). */
export const newAccountLimits: Limits = {
  vpcs: 5,
  subnets: 200,
  internetGateways: 5,
  egressOnlyGateways: 5,
  addresses: 5,
  natGateways: 5,
  routeTables: 200,
  routes: 500,
  securityGroups: 2_500,
  rules: 60,
  groupsPerInterface: 5,
  gatewayEndpoints: 20,
  interfaceEndpoints: 50,
  networkInterfaces: 5_000,
  vcpus: 32,
  cidrBlocks: 5,
}

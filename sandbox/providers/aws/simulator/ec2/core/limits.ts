/** The maximum number of each resource. Absent: no limit. */
export interface Limits {
  /** Per region. */
  readonly vpcs?: number
  /** Per VPC. */
  readonly subnets?: number
  /** Per region. */
  readonly internetGateways?: number
  /** Per region. */
  readonly egressOnlyGateways?: number
  /** Per region. */
  readonly addresses?: number
  /** Per Availability Zone. */
  readonly natGateways?: number
  /** Per VPC. */
  readonly routeTables?: number
  /** Per route table. */
  readonly routes?: number
  /** Per region. */
  readonly securityGroups?: number
  /** Per direction of a security group. */
  readonly rules?: number
  /** Per network interface. */
  readonly groupsPerInterface?: number
  /** Gateway endpoints per region. */
  readonly gatewayEndpoints?: number
  /** Interface endpoints per VPC. */
  readonly interfaceEndpoints?: number
  /** Per region. */
  readonly networkInterfaces?: number
  /** vCPUs of running on-demand instances per region. */
  readonly vcpus?: number
  /** IPv4 blocks per VPC. The same number applies to IPv6. */
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

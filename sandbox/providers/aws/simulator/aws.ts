export type { AccountSnapshot } from './accounts/account.ts'
export { SnapshotError } from './accounts/snapshot.ts'
export type { Account, Aws, Registration } from './aws-interface.ts'
export { detailsOf, isRead } from './calls/call-details.ts'
export { type CallEffect, type CallLog, type CallRecord, redacted } from './calls/call-log.ts'
export { createCodec } from './codec/create-codec.ts'
export { fromSdkRequest } from './codec/sdk-message.ts'
export { newAccountLimits } from './ec2/core/limits.ts'
export { addNetwork } from './ec2/inventory.ts'
export type { FaultOrder } from './faults/fault.ts'
export type { LagOptions } from './lag/lag-options.ts'
export type { AwsListOptions, PageOptions } from './lists/list-options.ts'
export { operatorCredentials } from './operator.ts'
export { addHostedZone, hostedZones } from './route53/inventory.ts'
export { isProblem, isWithin, parseName } from './route53/name.ts'
export { addBucket, bucketNames } from './s3/inventory.ts'
export { clientPackages, type StoredService, schemasText } from './schemas/stored-schemas.ts'
export type { Listening } from './serve/http.ts'
export { identify } from './serve/identify.ts'
export { createServices, scaledServices } from './services.ts'
export { isNotThere, type SimulatedAws, simulatedAws } from './simulated-aws.ts'
export { type AwsOptions, accountRates, createAws } from './simulator.ts'

// For the suites of other rooms.

export { createContext, type Ec2, resolveSettings } from './ec2/core/context.ts'
export type { Ec2State } from './ec2/core/state.ts'
export {
  addImage,
  addIpamPool,
  addServiceInterface,
  failIpv6Blocks,
  failNatGateways,
  setInstanceSupply,
  setLearnedRanges,
} from './ec2/inventory.ts'
export { associateWithDefaultAcl, newDefaultAcl } from './ec2/network-acls/new-acl.ts'
export { heldByService } from './ec2/network-interfaces/held-by-service.ts'
export { newInterface } from './ec2/network-interfaces/new-interface.ts'
export type { Route, SecurityGroup, Vpc } from './ec2/rows/network.ts'
export type { Ec2Resource, Ec2Tag } from './ec2/rows/resource.ts'
export { rulesOf } from './ec2/security-groups/rules.ts'
export { faultSchema } from './faults/fault.ts'
export { createFaultList } from './faults/fault-list.ts'
export { type IamState, keyOf } from './iam/state.ts'
export { createS3 } from './s3/service.ts'
export type { StoredObject } from './s3/state.ts'
export { awsEnvironment } from './simulated-aws.ts'

/** What an author of a function needs; described in docs/library.md. */
export type { Clock } from '../shared/clock/clock.ts'
export type { Classifier } from '../shared/contract/classify.ts'
export type { ErrorCode } from '../shared/contract/constants.ts'
export { ClaimLostError, CodedError, RequeueAfterError, StepExpiredError } from '../shared/contract/errors.ts'
export type { KindName } from '../shared/contract/kinds.ts'
export type { BackupBucket } from '../shared/contract/schemas/backup-bucket.ts'
export type { BackupEntry } from '../shared/contract/schemas/backup-entry.ts'
export type { Bastion } from '../shared/contract/schemas/bastion.ts'
export type { Cluster } from '../shared/contract/schemas/cluster.ts'
export type { ContainerRuntime } from '../shared/contract/schemas/container-runtime.ts'
export type { ControlPlane } from '../shared/contract/schemas/control-plane.ts'
export type { DNSRecord } from '../shared/contract/schemas/dns-record.ts'
export type { Extension } from '../shared/contract/schemas/extension.ts'
export type { Infrastructure } from '../shared/contract/schemas/infrastructure.ts'
export type { Network } from '../shared/contract/schemas/network.ts'
export type { OperatingSystemConfig } from '../shared/contract/schemas/operating-system-config.ts'
export type { SelfHostedShootExposure } from '../shared/contract/schemas/self-hosted-shoot-exposure.ts'
export type { Worker } from '../shared/contract/schemas/worker.ts'
export type { GroupVersionResource, Kubernetes, KubernetesObject } from '../shared/kubernetes/port.ts'
export {
  type Actuator,
  continueAfter,
  done,
  type ForcedStepContext,
  type Secret,
  type StepContext,
  type StepResult,
} from '../shared/lifecycle/actuator.ts'
export type { Log } from '../shared/log/log.ts'
export { defineFunction, type FunctionOptions } from '../shared/runtime/define-function.ts'
export type {
  ExtensionClass,
  FunctionDefinition,
  FunctionDeps,
  FunctionPermission,
} from '../shared/runtime/definition/definition.ts'
export { DefinitionError } from '../shared/runtime/definition/definition-error.ts'

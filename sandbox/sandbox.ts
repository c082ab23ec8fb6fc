/** The public exports of the sandbox. See docs/sandbox.md; published as `…/trellis/testing` (docs/library.md). */
export { systemClock, type VirtualClock, virtualClock } from '../shared/clock/clock.ts'
export { allCrds, machineCrds, resourceCrds } from '../shared/contract/crds/crd-of.ts'
export type { Kubernetes } from '../shared/kubernetes/kubernetes.ts'
export { createKubernetes } from '../shared/kubernetes/kubernetes.ts'
export {
  type BrokerOptions,
  createBroker,
  loadManifests,
  type Manifests,
  type SandboxBroker,
} from './knative/knative.ts'
export { type ApiServer, type ApiServerOptions, createApiServer } from './kubernetes/kubernetes.ts'
export type { Account, Aws, Registration } from './providers/aws/simulator/aws.ts'
export {
  type AwsOptions,
  accountRates,
  addHostedZone,
  createAws,
  hostedZones,
} from './providers/aws/simulator/aws.ts'
export type {
  CallFailure,
  CloudFault,
  CloudResource,
  ConnectSettings,
  MadeUpCluster,
  ObjectPlan,
  ParsedState,
  PlanSurroundings,
  ProvidedCloud,
  Provider,
  ProviderTexts,
  ResourcesOf,
  SimulateSettings,
} from './providers/provider.ts'
export {
  type PatchStep,
  type ReviewResult,
  type SendReviewOptions,
  type SentReview,
  sendReview,
  sendReviewAgain,
} from './reviews/reviews.ts'
export {
  type RunningFunction,
  type Seed,
  type SeedEvent,
  type SeedFunction,
  type SeedOptions,
  type StartFunction,
  startSeed,
} from './seed/seed.ts'
export {
  createSteppedSeed,
  type FunctionPromise,
  functionPromises,
  type HttpCloud,
  type HttpCloudOptions,
  httpCloud,
  isWriteRequest,
  type ObjectCloudOptions,
  objectCloud,
  type PassCall,
  type PromisingFunction,
  type RequestHooks,
  type RunOptions,
  readExample,
  requestText,
  type SeedExample,
  type ShootObjectsOptions,
  type SteppedObject,
  type SteppedRequest,
  type SteppedSeed,
  type SteppedSeedOptions,
  shootObjects,
  type TestCall,
  type TestCloud,
  type TestThing,
} from './stepped-seed/stepped-seed.ts'

/** What others use of the sandbox; described in sandbox/README.md, and as `…/trellis/testing` in docs/library.md. */
export { systemClock } from '../shared/clock/clock.ts'
export { type VirtualClock, virtualClock } from '../shared/clock/virtual-clock.ts'
export { allCrds } from '../shared/contract/crds/crd-of.ts'
export { createKubernetes } from '../shared/kubernetes/client.ts'
export type { Kubernetes } from '../shared/kubernetes/port.ts'
export type { Account, Aws, Registration } from './aws/aws.ts'
export { addHostedZone, hostedZones } from './aws/route53/inventory.ts'
export { type AwsOptions, accountRates, createAws } from './aws/simulator.ts'
export { type BrokerOptions, createBroker, type SandboxBroker } from './knative/broker.ts'
export { loadManifests, type Manifests } from './knative/manifests.ts'
export { type ApiServer, type ApiServerOptions, createApiServer } from './kubernetes/api-server.ts'
export {
  type RunningFunction,
  type Seed,
  type SeedEvent,
  type SeedFunction,
  type SeedOptions,
  type StartFunction,
  startSeed,
} from './seed/seed.ts'

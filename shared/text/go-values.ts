/** A value of Trellis' chart, or the reason why there is none. */
export type GoValueRule =
  | {
      /** The path of ours: `webhook.env.NAME`. */
      readonly to: string
      /** The default of the Go chart, if it differs from ours. It applies to values without the key. */
      readonly usual?: string
    }
  | { readonly why: string }

/**
 * The values of a Go extension's chart, by path. `*` is any key, and a path also stands for everything below it. A rule
 * of a longer path comes first.
 */
export interface GoValues {
  /** The chart and its version: `gardener-extension-provider-aws v1.73.0`. */
  readonly chart: string
  readonly rules: Readonly<Record<string, GoValueRule>>
}

const fixedPorts = 'not needed: each process has a network of its own, so its ports are fixed'
const ofGardenlet = 'not needed: gardenlet sets it'
const rollout =
  'not needed: Knative replaces the pods of functions, and Kubernetes those of bridge and webhooks'

/** The values that the charts of all extensions with Gardener's library have. */
export const usualGoValues: Readonly<Record<string, GoValueRule>> = {
  image: { why: 'not needed: Trellis has images of its own. Use --registry, --tag or --images' },
  replicaCount: { why: 'use bridge.replicas and webhook.replicas. One pod of each is active' },
  maxUnavailable: { why: rollout },
  maxSurge: { why: rollout },
  resources: {
    why: 'use functions.NAME.cpu and memory, bridge.resources and webhook.resources: each process has less to do',
  },
  'vpa.enabled': { to: 'verticalPodAutoscaler.enabled' },
  vpa: { why: 'not supported: the mode is InPlaceOrRecreate, for requests only' },
  metricsPort: { why: fixedPorts },
  healthPort: { why: fixedPorts },
  usablePorts: { why: ofGardenlet },
  gardener: { why: ofGardenlet },
  webhookConfig: { why: fixedPorts },
  'controllers.healthcheck': {
    why: 'not needed: the bridge spreads the checks. Use TRELLIS_HEALTH_ROUND in bridge.env for their interval',
  },
  'controllers.heartbeat': { why: 'not supported: the bridge renews each Lease every 30 s' },
  'controllers.ignoreOperationAnnotation': {
    why: 'not supported: functions reconcile at the request of gardenlet, as in a landscape',
  },
  'controllers.*.concurrentSyncs': {
    why: 'not needed: a step does not wait for the cloud. Limits are concurrency and maxScale of each function',
  },
  disableWebhooks: {
    why: 'not supported: webhook.components.NAME.enabled is for all webhooks of a component',
  },
  ignoreResources: {
    why: 'not needed: it stopped repairs of one Deployment. Disable single functions with functions.NAME.enabled',
  },
  imageVectorOverwrite: { to: 'imageVectorOverwrite' },
  'metrics.enableScraping': {
    why: 'not needed: Prometheus finds bridge and webhooks by annotations, or by monitors with monitoring.enabled',
  },
  'config.clientConnection': { why: 'not needed: each process limits its own requests to the API server' },
  'config.etcd.backup': {
    why: 'not needed: the Go extension ignores it. The Seed sets the schedule of backups',
  },
  'config.etcd.storage': {
    why: 'not supported: the chart creates no StorageClass. Create it before the Go extension is removed, which deletes its own',
  },
  'logging.level': { to: 'logLevel' },
  'logging.format': { why: 'not supported: logs are JSON' },
}

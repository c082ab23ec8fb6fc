import { container } from './containers.ts'
import { address, conditions } from './eventing.ts'
import type { KnativeKind } from './knative-kind.ts'
import {
  atomic,
  flag,
  int64,
  listByKey,
  listOf,
  mapOf,
  maybeEmpty,
  object,
  open,
  text,
} from './schema-notation.ts'
import { volumes } from './volumes.ts'

const traffic = listOf(
  object({
    configurationName: text,
    latestRevision: flag,
    percent: int64,
    revisionName: text,
    tag: text,
    url: text,
  }),
)

const revision = object(
  {
    affinity: open(),
    automountServiceAccountToken: flag,
    containerConcurrency: int64,
    containers: listOf(container),
    dnsConfig: open(),
    dnsPolicy: text,
    enableServiceLinks: flag,
    hostAliases: listOf(open()),
    hostIPC: flag,
    hostNetwork: flag,
    hostPID: flag,
    idleTimeoutSeconds: int64,
    imagePullSecrets: listByKey('name', atomic(object({ name: maybeEmpty }))),
    initContainers: listOf(open()),
    nodeSelector: atomic(mapOf(text)),
    priorityClassName: text,
    responseStartTimeoutSeconds: int64,
    runtimeClassName: text,
    schedulerName: text,
    securityContext: open(),
    serviceAccountName: text,
    shareProcessNamespace: flag,
    timeoutSeconds: int64,
    tolerations: listOf(open()),
    topologySpreadConstraints: listOf(open()),
    volumes,
  },
  ['containers'],
)

const templateMetadata = open({
  annotations: mapOf(text),
  finalizers: listOf(text),
  labels: mapOf(text),
  name: text,
  namespace: text,
})

const ready = (field: string) => `.status.conditions[?(@.type=='Ready')].${field}`

export const service: KnativeKind = {
  group: 'serving.knative.dev',
  names: {
    kind: 'Service',
    plural: 'services',
    singular: 'service',
    categories: ['all', 'knative', 'serving'],
    shortNames: ['kservice', 'ksvc'],
  },
  columns: [
    { name: 'URL', type: 'string', jsonPath: '.status.url' },
    { name: 'LatestCreated', type: 'string', jsonPath: '.status.latestCreatedRevisionName' },
    { name: 'LatestReady', type: 'string', jsonPath: '.status.latestReadyRevisionName' },
    { name: 'Ready', type: 'string', jsonPath: ready('status') },
    { name: 'Reason', type: 'string', jsonPath: ready('reason') },
  ],
  schema: object({
    apiVersion: text,
    kind: text,
    metadata: { type: 'object' },
    spec: object({ template: object({ metadata: templateMetadata, spec: revision }), traffic }),
    status: object({
      address,
      annotations: mapOf(text),
      conditions,
      latestCreatedRevisionName: text,
      latestReadyRevisionName: text,
      observedGeneration: int64,
      traffic,
      url: text,
    }),
  }),
}

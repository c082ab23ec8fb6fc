import type { KnativeKind } from './knative-kind.ts'
import { int32, int64, listOf, object, open, text } from './schema-notation.ts'

export const conditions = listOf(
  object(
    {
      lastTransitionTime: text,
      message: text,
      reason: text,
      severity: text,
      status: text,
      type: text,
    },
    ['status', 'type'],
  ),
)

export const address = object({ name: text, url: text, CACerts: text, audience: text })

const reference = { apiVersion: text, kind: text, name: text, namespace: text }

const destination = object({ ref: object(reference), uri: text, CACerts: text, audience: text })

const delivery = {
  backoffDelay: text,
  backoffPolicy: text,
  deadLetterSink: destination,
  retry: int32,
}

const deadLetterStatus = {
  deadLetterSinkUri: text,
  deadLetterSinkCACerts: text,
  deadLetterSinkAudience: text,
}

const account = object({ serviceAccountName: text, serviceAccountNames: listOf(text) })

const group = 'eventing.knative.dev'

const readyColumns = (filter: string) => [
  { name: 'Ready', type: 'string', jsonPath: `.status.conditions[?(@.type==${filter})].status` },
  { name: 'Reason', type: 'string', jsonPath: `.status.conditions[?(@.type==${filter})].reason` },
]

const age = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }

export const broker: KnativeKind = {
  group,
  names: {
    kind: 'Broker',
    plural: 'brokers',
    singular: 'broker',
    categories: ['all', 'knative', 'eventing'],
  },
  columns: [
    { name: 'URL', type: 'string', jsonPath: '.status.address.url' },
    age,
    ...readyColumns('"Ready"'),
    {
      name: 'Class',
      type: 'string',
      priority: 1,
      jsonPath: '.metadata.annotations.eventing\\.knative\\.dev/broker\\.class',
    },
  ],
  schema: object({
    spec: object({ config: object(reference), delivery: open(delivery) }),
    status: object({
      address,
      addresses: listOf(address),
      annotations: open(),
      policies: listOf(object({ apiVersion: text, name: text })),
      conditions,
      ...deadLetterStatus,
      observedGeneration: int64,
    }),
  }),
}

const filter = object({
  all: listOf(open()),
  any: listOf(open()),
  cesql: text,
  exact: open(),
  not: open(),
  prefix: open(),
  suffix: open(),
})

export const trigger: KnativeKind = {
  group,
  names: {
    kind: 'Trigger',
    plural: 'triggers',
    singular: 'trigger',
    categories: ['all', 'knative', 'eventing'],
  },
  columns: [
    { name: 'Broker', type: 'string', jsonPath: '.spec.broker' },
    { name: 'Subscriber_URI', type: 'string', jsonPath: '.status.subscriberUri' },
    age,
    ...readyColumns('"Ready"'),
  ],
  schema: object({
    spec: open({
      broker: text,
      brokerRef: object(reference),
      delivery: open({ ...delivery, format: text }),
      filter: object({ attributes: open() }),
      filters: listOf(filter),
      subscriber: destination,
    }),
    status: object({
      annotations: open(),
      auth: account,
      conditions,
      ...deadLetterStatus,
      observedGeneration: int64,
      subscriberUri: text,
      subscriberCACerts: text,
      subscriberAudience: text,
    }),
  }),
}

const labelSelector = object({
  matchExpressions: listOf(object({ key: text, operator: text, values: listOf(text) })),
  matchLabels: open(),
})

export const sinkBinding: KnativeKind = {
  group: 'sources.knative.dev',
  names: {
    kind: 'SinkBinding',
    plural: 'sinkbindings',
    singular: 'sinkbinding',
    categories: ['all', 'knative', 'sources', 'bindings'],
  },
  columns: [{ name: 'Sink', type: 'string', jsonPath: '.status.sinkUri' }, age, ...readyColumns("'Ready'")],
  schema: object({
    spec: object({
      ceOverrides: object({ extensions: open() }),
      sink: destination,
      subject: object({ ...reference, selector: labelSelector }),
    }),
    status: object({
      annotations: open(),
      auth: account,
      ceAttributes: listOf(object({ source: text, type: text })),
      conditions,
      observedGeneration: int64,
      sinkUri: text,
      sinkCACerts: text,
      sinkAudience: text,
      oidcTokenSecretName: text,
    }),
  }),
}

export const eventPolicy: KnativeKind = {
  group,
  version: 'v1alpha1',
  names: {
    kind: 'EventPolicy',
    plural: 'eventpolicies',
    singular: 'eventpolicy',
    categories: ['all', 'knative', 'eventing'],
  },
  columns: readyColumns('"Ready"'),
  schema: object({
    spec: object({
      from: listOf(object({ ref: object(reference), sub: text })),
      to: listOf(
        object({
          ref: object({ apiVersion: text, kind: text, name: text }),
          selector: object({
            apiVersion: text,
            kind: text,
            matchExpressions: listOf(object({ key: text, operator: text, values: listOf(text) })),
            matchLabels: open(),
          }),
        }),
      ),
      filters: listOf(filter),
    }),
    status: object({
      annotations: open(),
      conditions,
      from: listOf(text),
      observedGeneration: int64,
    }),
  }),
}

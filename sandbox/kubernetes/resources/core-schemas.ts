import type { EnforcedSchema } from '../schema/structural-schema.ts'

const text = (description: string): EnforcedSchema => ({ type: 'string', description })

const mapOf = (description: string, format?: string): EnforcedSchema => ({
  type: 'object',
  nullable: true,
  description,
  additionalProperties: { type: 'string', ...(format && { format }) },
})

const flag = (description: string): EnforcedSchema => ({ type: 'boolean', description })

/** An object without further schema. */
const anything = (description: string): EnforcedSchema => ({
  type: 'object',
  description,
  'x-kubernetes-preserve-unknown-fields': true,
})

const listOf = (description: string, items: EnforcedSchema): EnforcedSchema => ({
  type: 'array',
  nullable: true,
  description,
  items,
})

const object = (description: string, properties: EnforcedSchema['properties'] = {}): EnforcedSchema => ({
  type: 'object',
  description,
  properties,
})

const time = (description: string): EnforcedSchema => ({
  type: 'string',
  format: 'date-time',
  nullable: true,
  description,
})

const reference = (description: string): EnforcedSchema =>
  object(description, {
    apiVersion: text('API version of the referent.'),
    kind: text('Kind of the referent.'),
    name: text('Name of the referent.'),
    namespace: text('Namespace of the referent.'),
    uid: text('UID of the referent.'),
    resourceVersion: text('Version of the referent.'),
    fieldPath: text('Part of the referent.'),
  })

/** The schemas of the built-in kinds' fields, with the descriptions for `kubectl explain`. */
export const coreSchemas = {
  namespace: object('Namespace provides a scope for names.', {
    spec: object('The behaviour of the namespace.', {
      finalizers: listOf('What must be empty before the namespace goes.', { type: 'string' }),
    }),
    status: anything('What the namespace is doing: Active or Terminating.'),
  }),
  secret: object('Secret holds secret data of a certain type.', {
    data: mapOf('The secret data, base64 encoded.', 'byte'),
    stringData: mapOf('Secret data as plain text, for writing only.'),
    type: text('What the data is for.'),
    immutable: flag('Whether the data may no longer be changed.'),
  }),
  configMap: object('ConfigMap holds configuration data for others to consume.', {
    data: mapOf('The configuration data.'),
    binaryData: mapOf('Binary data, base64 encoded.', 'byte'),
    immutable: flag('Whether the data may no longer be changed.'),
  }),
  serviceAccount: object('ServiceAccount binds together a name and what may be done by it.', {
    secrets: listOf('Secrets that pods of the account may use.', reference('A secret.')),
    imagePullSecrets: listOf(
      'Secrets to pull images with.',
      object('A secret.', { name: text('Its name.') }),
    ),
    automountServiceAccountToken: flag('Whether pods get a token.'),
  }),
  lease: object('Lease defines a lease concept.', {
    spec: object('Who holds the lease, and until when.', {
      holderIdentity: text('The holder of the lease.'),
      leaseDurationSeconds: { type: 'integer', description: 'How long others wait before they take it.' },
      acquireTime: time('When it was acquired.'),
      renewTime: time('When the holder last renewed it.'),
      leaseTransitions: { type: 'integer', description: 'How often the holder has changed.' },
      preferredHolder: text('Who should hold the lease instead.'),
      strategy: text('How the holder is chosen.'),
    }),
  }),
  event: object('Event is a report of an event somewhere in the cluster.', {
    involvedObject: reference('The object that this event is about.'),
    related: reference('A second object.'),
    reason: text('Why, in one CamelCase word.'),
    message: text('What happened.'),
    type: text('Normal or Warning.'),
    source: object('Who reports it.', { component: text('The component.'), host: text('The node.') }),
    reportingComponent: text('Who reports it.'),
    reportingInstance: text('Which instance reports it.'),
    action: text('What was done.'),
    count: { type: 'integer', description: 'How often it has happened.' },
    firstTimestamp: time('When it happened first.'),
    lastTimestamp: time('When it happened last.'),
    eventTime: time('When it happened.'),
    series: anything('More of the same.'),
  }),
} as const satisfies Readonly<Record<string, EnforcedSchema>>

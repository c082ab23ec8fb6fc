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
export const anything = (description: string): EnforcedSchema => ({
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

export const object = (
  description: string,
  properties: EnforcedSchema['properties'] = {},
  required: readonly string[] = [],
): EnforcedSchema => ({
  type: 'object',
  description,
  properties,
  ...(required.length > 0 && { required }),
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
    spec: object('Desired state of the namespace.', {
      finalizers: listOf('Must be empty before the namespace is deleted.', { type: 'string' }),
    }),
    status: anything('State of the namespace: Active or Terminating.'),
  }),
  secret: object('Secret holds secret data of a certain type.', {
    data: mapOf('The secret data, base64 encoded.', 'byte'),
    stringData: mapOf('Secret data as plain text, for writing only.'),
    type: text('Type of the data.'),
    immutable: flag('If true, the data cannot be changed.'),
  }),
  configMap: object('ConfigMap holds configuration data for others to consume.', {
    data: mapOf('The configuration data.'),
    binaryData: mapOf('Binary data, base64 encoded.', 'byte'),
    immutable: flag('If true, the data cannot be changed.'),
  }),
  serviceAccount: object('ServiceAccount is an identity with permissions.', {
    secrets: listOf('Secrets that pods of the account may use.', reference('A secret.')),
    imagePullSecrets: listOf('Secrets for pulling images.', object('A secret.', { name: text('Its name.') })),
    automountServiceAccountToken: flag('If true, pods get a token.'),
  }),
  lease: object('Lease defines a lease concept.', {
    spec: object('Holder and expiry of the lease.', {
      holderIdentity: text('The holder of the lease.'),
      leaseDurationSeconds: {
        type: 'integer',
        description: 'Time after which others may acquire the lease, in seconds.',
      },
      acquireTime: time('Time at which the lease was acquired.'),
      renewTime: time('Time of the last renewal by the holder.'),
      leaseTransitions: { type: 'integer', description: 'Number of changes of the holder.' },
      preferredHolder: text('Preferred next holder of the lease.'),
      strategy: text('Strategy for the election of the holder.'),
    }),
  }),
  event: object('Event is a report of an event somewhere in the cluster.', {
    involvedObject: reference('The object that this event is about.'),
    related: reference('A second object.'),
    reason: text('Reason in one CamelCase word.'),
    message: text('Description of the event, for users.'),
    type: text('Normal or Warning.'),
    source: object('Component that reports the event.', {
      component: text('The component.'),
      host: text('The node.'),
    }),
    reportingComponent: text('Component that reports the event.'),
    reportingInstance: text('Instance that reports the event.'),
    action: text('Action that was performed.'),
    count: { type: 'integer', description: 'Number of occurrences.' },
    firstTimestamp: time('Time of the first occurrence.'),
    lastTimestamp: time('Time of the last occurrence.'),
    eventTime: time('Time of the operation.'),
    series: anything('Series of the same event.'),
  }),
} as const satisfies Readonly<Record<string, EnforcedSchema>>

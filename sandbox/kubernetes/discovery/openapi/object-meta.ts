import type { EnforcedSchema } from '../../schema/structural-schema.ts'

/** The published schema of every object's `metadata`. */
export const objectMeta: EnforcedSchema = {
  description: 'Standard object metadata.',
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Name is unique within a namespace.' },
    namespace: {
      type: 'string',
      description: 'Namespace defines the space within which the name is unique.',
    },
    labels: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Keys and values to select by.',
    },
    annotations: {
      type: 'object',
      additionalProperties: { type: 'string' },
      description: 'Unstructured keys and values.',
    },
    finalizers: {
      type: 'array',
      items: { type: 'string' },
      description: 'Must be empty before the object is deleted.',
    },
    generateName: { type: 'string', description: 'A prefix for a name that the server makes unique.' },
    generation: { type: 'integer', format: 'int64', description: 'Counts the changes of the desired state.' },
    resourceVersion: { type: 'string', description: 'The version of the object, for optimistic locking.' },
    uid: { type: 'string', description: 'Unique in time and space.' },
    creationTimestamp: { type: 'string', format: 'date-time', description: 'When the object was created.' },
    deletionGracePeriodSeconds: { type: 'integer', format: 'int64', description: 'Of the deletion.' },
    selfLink: { type: 'string', description: 'Not filled in any more.' },
    deletionTimestamp: { type: 'string', format: 'date-time', description: 'When deletion was asked for.' },
    ownerReferences: {
      type: 'array',
      items: { type: 'object' },
      description: 'Objects that this one depends on: it goes when all of them are gone.',
    },
    managedFields: {
      type: 'array',
      items: { type: 'object' },
      description: 'Which manager owns which fields.',
    },
  },
}

import type { EnforcedSchema } from '../../schema/structural-schema.ts'

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
    generateName: { type: 'string', description: 'Prefix of a name that the server makes unique.' },
    generation: { type: 'integer', format: 'int64', description: 'Number of changes of the desired state.' },
    resourceVersion: { type: 'string', description: 'The version of the object, for optimistic locking.' },
    uid: { type: 'string', description: 'Unique in time and space.' },
    creationTimestamp: {
      type: 'string',
      format: 'date-time',
      description: 'Time of the creation of the object.',
    },
    deletionGracePeriodSeconds: {
      type: 'integer',
      format: 'int64',
      description: 'Grace period of the deletion.',
    },
    selfLink: { type: 'string', description: 'No longer used.' },
    deletionTimestamp: {
      type: 'string',
      format: 'date-time',
      description: 'Time at which the deletion was requested.',
    },
    ownerReferences: {
      type: 'array',
      items: { type: 'object' },
      description: 'Owners of this object. It is deleted when all of them are deleted.',
    },
    managedFields: {
      type: 'array',
      items: { type: 'object' },
      description: 'Fields by manager.',
    },
  },
}

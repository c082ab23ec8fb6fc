import type { EnforcedSchema } from '../../schema/structural-schema.ts'

/** The published schema of every object's `apiVersion` and `kind`. */
export const typeMeta: Readonly<Record<'apiVersion' | 'kind', EnforcedSchema>> = {
  apiVersion: { type: 'string', description: 'The group and version of the schema of this object.' },
  kind: { type: 'string', description: 'The kind of this object.' },
}

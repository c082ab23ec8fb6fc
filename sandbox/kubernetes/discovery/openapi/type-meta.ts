import type { EnforcedSchema } from '../../schema/structural-schema.ts'

/** What every object says of itself, as published to clients. */
export const typeMeta: Readonly<Record<'apiVersion' | 'kind', EnforcedSchema>> = {
  apiVersion: { type: 'string', description: 'The group and version of the schema of this object.' },
  kind: { type: 'string', description: 'The kind of this object.' },
}

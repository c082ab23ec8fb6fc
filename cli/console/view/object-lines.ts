import { stringify } from 'yaml'
import { isRecord } from '../../../shared/decode/record-of.ts'

/**
 * Returns an object as lines of YAML, with sorted fields as kubectl writes them, so that equal objects have equal lines.
 * Managed fields and the resourceVersion are left out: they change at every write.
 */
export const objectLines = (object: unknown): readonly string[] =>
  object === undefined
    ? []
    : stringify(withoutNoise(object), {
        // As kubectl reads it: quotes texts such as `yes` and times.
        version: '1.1',
        sortMapEntries: true,
        aliasDuplicateObjects: false,
        lineWidth: 0,
      })
        .trimEnd()
        .split('\n')

const withoutNoise = (object: unknown): unknown => {
  if (!isRecord(object) || !isRecord(object.metadata)) return object
  const { resourceVersion: _, managedFields: __, ...metadata } = object.metadata
  return { ...object, metadata }
}

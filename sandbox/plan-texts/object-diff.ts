import { structuredPatch } from 'diff'
import { stringify } from 'yaml'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'

/** Returns the lines of a unified diff, without the two lines of file names. Empty if nothing changed. */
export const objectDiff = (
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
): readonly string[] =>
  structuredPatch('before', 'after', yamlOf(before), yamlOf(after), '', '', { context: 3 }).hunks.flatMap(
    ({ oldStart, oldLines, newStart, newLines, lines }) => [
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
      ...lines,
    ],
  )

/** A quoted text stays on one line, because its line breaks may be forged ones. */
export const yamlOptions = {
  lineWidth: 0,
  sortMapEntries: true,
  doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER,
}

/** Sorted, without fields that change at every write. */
const yamlOf = (object: KubernetesObject | undefined): string => {
  if (object === undefined) return ''
  const { resourceVersion: _, managedFields: __, ...metadata } = object.metadata
  return stringify({ ...object, metadata }, yamlOptions)
}

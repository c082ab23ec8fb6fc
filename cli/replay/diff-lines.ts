import type { createColors } from 'picocolors'
import { objectDiff } from '../../sandbox/plan-texts/object-diff.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { printable } from '../../shared/text/printable.ts'

export type Paint = ReturnType<typeof createColors>

/** Returns the painted unified diff of an object, with the two lines above it. Empty if nothing changed. */
export const diffLines = (
  before: KubernetesObject | undefined,
  after: KubernetesObject | undefined,
  paint: Paint,
): readonly string[] => {
  const lines = objectDiff(before, after)
    .map(printable)
    .map(line => {
      if (line.startsWith('@@')) return paint.cyan(line)
      return line.startsWith('+') ? paint.green(line) : line.startsWith('-') ? paint.red(line) : line
    })
  return lines.length === 0 ? [] : [paint.bold('--- before'), paint.bold('+++ after'), ...lines]
}

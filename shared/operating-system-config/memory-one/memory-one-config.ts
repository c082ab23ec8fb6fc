import * as z from 'zod'
import { type CodedError, configurationProblem } from '../../contract/errors.ts'
import type { OperatingSystemConfig } from '../../contract/objects.ts'
import { formatProblems, problemsOf, shown } from '../../decode/problems.ts'

/** A value is on a separate line of the section for vSMP. */
const oneLine = z.string().regex(/^[^\r\n\0]*$/, 'expected one line')

/** The users' `spec.providerConfig` of a memoryone type. Unknown fields are ignored, as in Go. */
export const memoryOneConfigSchema = z.object({
  memoryTopology: oneLine.nullish(),
  systemMemory: oneLine.nullish(),
  vsmpConfiguration: z
    .record(z.string().regex(/^[^=\r\n\0]+$/, 'expected a name of a setting'), oneLine)
    .nullish(),
})
export type MemoryOneConfig = z.output<typeof memoryOneConfigSchema>

/**
 * Returns the decoded `spec.providerConfig`, or undefined without one. `group` is that of its kind. Throws a
 * `CodedError`.
 */
export const memoryOneConfig = (
  { spec: { providerConfig } }: OperatingSystemConfig,
  group: string,
): MemoryOneConfig | undefined => {
  if (providerConfig === undefined || providerConfig === null) return undefined
  const head = z.object({
    apiVersion: z.literal(`${group}/v1alpha1`),
    kind: z.literal('OperatingSystemConfiguration'),
  })
  const { apiVersion, kind } = Object(providerConfig) as Readonly<Record<string, unknown>>
  if (!head.safeParse(providerConfig).success)
    throw refused(
      `no kind ${shown(kind ?? '')} is registered for version ${shown(apiVersion ?? '')}: expected kind OperatingSystemConfiguration of ${group}/v1alpha1`,
    )
  const { data, error } = memoryOneConfigSchema.safeParse(providerConfig)
  if (error !== undefined) throw refused(formatProblems(problemsOf(error.issues, providerConfig)))
  return data
}

const refused = (why: string): CodedError => configurationProblem(`failed to decode provider config: ${why}`)

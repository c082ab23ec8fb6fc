import type { CapabilityDefinition } from '../../contract/machine-capabilities.ts'
import { type Problem, problemsInEach } from '../../decode/problems.ts'
import { when } from '../../lists/when.ts'

/** Returns the problems of the values of one capability of an image. @param definitions those of the profile */
export const capabilityProblems = (
  path: string,
  values: readonly string[],
  name: string,
  definitions: readonly CapabilityDefinition[],
): readonly Problem[] => {
  const definition = definitions.find(known => known.name === name)
  if (definition === undefined) {
    const message = `expected one of the machineCapabilities of the profile (${definitions.map(known => known.name).join(', ')})`
    return [{ path, message, kind: 'unsupported' }]
  }
  return problemsInEach(values, value =>
    when(!definition.values.includes(value), {
      path,
      message: `expected values of ${definition.values.join(', ')}, found ${JSON.stringify(value)}`,
      kind: 'unsupported' as const,
    }),
  )
}

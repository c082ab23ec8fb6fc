import { createHash } from 'node:crypto'
import type { Machine, MachineDeployment } from '../../../shared/contract/objects.ts'
import { hashLabel } from '../context.ts'

export type MachineTemplate = NonNullable<MachineDeployment['spec']>['template']
export type SpecOfMachine = NonNullable<Machine['spec']>

/** Returns JSON with sorted keys. Absent and empty values are equal. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

const withoutHash = (labels: Readonly<Record<string, string>> | null | undefined) => {
  const { [hashLabel]: _, ...others } = labels ?? {}
  return others
}

/**
 * Returns the part of a template that requires new machines when it changes. `configurationOf` is not part of it,
 * because it is applied to existing machines.
 */
const identityOf = ({ metadata, spec }: MachineTemplate): string =>
  canonical({
    labels: withoutHash(metadata?.labels),
    annotations: metadata?.annotations ?? {},
    class: spec?.class?.name ?? '',
    providerID: spec?.providerID ?? '',
  })

export const isSameTemplate = (a: MachineTemplate, b: MachineTemplate): boolean =>
  identityOf(a) === identityOf(b)

/** Returns the hash for label and name of a MachineSet. */
export const hashOf = (template: MachineTemplate): string =>
  createHash('sha256').update(identityOf(template)).digest('hex').slice(0, 10)

/** Returns the part of a spec that is applied to running machines: node template, timeouts. */
const configurationOf = (spec: SpecOfMachine | undefined): Omit<SpecOfMachine, 'class' | 'providerID'> => {
  const { class: _, providerID: __, ...configuration } = spec ?? {}
  return configuration
}

/** Applies another configuration to a spec; undefined: nothing changes. */
export const reconfigured = (
  spec: SpecOfMachine | undefined,
  wanted: SpecOfMachine | undefined,
): SpecOfMachine | undefined => {
  if (canonical(configurationOf(spec)) === canonical(configurationOf(wanted))) return undefined
  const { class: machineClass, providerID } = spec ?? {}
  return {
    ...configurationOf(wanted),
    ...(machineClass !== undefined && { class: machineClass }),
    ...(providerID !== undefined && { providerID }),
  }
}

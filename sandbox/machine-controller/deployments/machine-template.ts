import { createHash } from 'node:crypto'
import type { Machine, MachineDeployment } from '../../../shared/contract/objects.ts'
import { hashLabel } from '../context.ts'

export type MachineTemplate = NonNullable<MachineDeployment['spec']>['template']
export type SpecOfMachine = NonNullable<Machine['spec']>

/** JSON with sorted keys; absent and empty are the same. */
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
 * What of a template makes machines other machines. What they are set up with (`configurationOf`) is not in it: it
 * reaches machines that are there.
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

/** A number for label and name of a MachineSet. */
export const hashOf = (template: MachineTemplate): string =>
  createHash('sha256').update(identityOf(template)).digest('hex').slice(0, 10)

/** The part of a spec that a machine takes over while it runs: node template, timeouts. */
export const configurationOf = (
  spec: SpecOfMachine | undefined,
): Omit<SpecOfMachine, 'class' | 'providerID'> => {
  const { class: _, providerID: __, ...configuration } = spec ?? {}
  return configuration
}

/** A spec with another configuration; undefined: it has it. */
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

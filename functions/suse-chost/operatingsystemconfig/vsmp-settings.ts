import type { MemoryOneConfig } from '../../../shared/operating-system-config/operating-system-config.ts'

/**
 * The settings of vSMP, a line for each, in the order of their names: user data is the same from one reconcile to the next.
 * What stands behind a semicolon of a name or a value in `vsmpConfiguration` is cut off; the two fields of their own are
 * taken as they are, and win.
 */
export const vsmpSettings = (config: MemoryOneConfig | undefined): string => {
  const { vsmpConfiguration, systemMemory, memoryTopology } = config ?? {}
  const settings = new Map([
    ['mem_topology', '2'],
    ['system_memory', '6x'],
    ...Object.entries(vsmpConfiguration ?? {}).map(
      ([name, value]) => [untilSemicolon(name), untilSemicolon(value)] as const,
    ),
    ...(systemMemory === undefined || systemMemory === null
      ? []
      : [['system_memory', systemMemory] as const]),
    ...(memoryTopology === undefined || memoryTopology === null
      ? []
      : [['mem_topology', memoryTopology] as const]),
  ])
  return [...settings]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')
}

const untilSemicolon = (text: string): string => text.split(';', 1)[0] ?? ''

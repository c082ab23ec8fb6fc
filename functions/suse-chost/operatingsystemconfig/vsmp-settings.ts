import type { MemoryOneConfig } from '../../../shared/operating-system-config/operating-system-config.ts'

/**
 * The settings of vSMP, one line each, sorted by name, so that user data is the same in each reconcile. A name or value
 * in `vsmpConfiguration` is cut off at a semicolon. The two separate fields are used unchanged and override it.
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

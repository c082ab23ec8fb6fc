/** What became of each Machine of a scenario, in the order in which they came. */
export type Timeline = readonly (readonly string[])[]

const fields = new Set([
  'providerID',
  'node',
  'machine.sapcloud.io/machine-controller-manager',
  'timeout',
  'deleting',
])

/** A text without what another run has otherwise: names, ids, the conditions of a Node. */
export const withoutNames = (text: string, machine: string): string =>
  text
    .replaceAll(new RegExp(`(?:shoot--[a-z0-9-]+)?${machine}`, 'g'), 'M')
    .replaceAll(/(?:ip-[\d-]+|i-[0-9a-f]+)\.[a-z0-9-]+\.compute\.internal/g, 'N')
    .replaceAll(/RequestID: [^,]*,/g, 'RequestID: …,')
    .replace(/Node [cC]onditions: .*/, 'Node conditions: …')

/**
 * The steps of a Machine as they come one after the other. Who asks for a deletion says so in the status, and so does who
 * begins it: which of them comes first is up to chance, and so it is told once.
 */
export const stepsOf = (texts: readonly string[]): readonly string[] =>
  texts
    .filter(text => !text.endsWith('Deleting machine from cloud provider'))
    .filter((text, index, all) => text !== '' && text !== all[index - 1])

/** The scenarios of a file of timelines, by their names. */
export const readTimelines = (file: string): ReadonlyMap<string, Timeline> => {
  const scenarios = new Map<string, Timeline>()
  for (const section of file.split(/^## /m).slice(1)) {
    const [head = '', ...lines] = section.trim().split('\n')
    const name = head.replace(/ ?\*?:.*/, '')
    const machines = new Map<string, string[]>()
    for (const line of lines) {
      const [, machine = '', rest = ''] = /^[\d.]+ (\S+) ?(.*)$/.exec(line) ?? []
      const texts = machines.get(machine) ?? []
      const parts = rest
        .replace(/ \|$/, '')
        .split(' | ')
        .filter(part => !fields.has(part))
      texts.push(withoutNames(parts.join(' | '), machine))
      machines.set(machine, texts)
    }
    scenarios.set(name, [...machines.values()].map(stepsOf))
  }
  return scenarios
}

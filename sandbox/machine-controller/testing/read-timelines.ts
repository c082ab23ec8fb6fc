/** The steps of each Machine of a scenario, in order. */
export type Timeline = readonly (readonly string[])[]

const fields = new Set([
  'providerID',
  'node',
  'machine.sapcloud.io/machine-controller-manager',
  'timeout',
  'deleting',
])

/** Removes values that differ between runs: names, ids, the conditions of a Node. */
export const withoutNames = (text: string, machine: string): string =>
  text
    .replaceAll(new RegExp(`(?:shoot--[a-z0-9-]+)?${machine}`, 'g'), 'M')
    .replaceAll(/(?:ip-[\d-]+|i-[0-9a-f]+)\.[a-z0-9-]+\.compute\.internal/g, 'N')
    .replaceAll(/RequestID: [^,]*,/g, 'RequestID: …,')
    .replace(/Node [cC]onditions: .*/, 'Node conditions: …')

/**
 * Returns the steps of a Machine in order. Both the requester and the executor of a deletion write it to the status in
 * random order, so it is returned once.
 */
export const stepsOf = (texts: readonly string[]): readonly string[] =>
  texts
    .filter(text => !text.endsWith('Deleting machine from cloud provider'))
    .filter((text, index, all) => text !== '' && text !== all[index - 1])

/** Returns the scenarios of a timeline file, by name. */
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

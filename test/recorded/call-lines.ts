/** Calls by phase, one per line: `CreateVpc {"at":12,"params":{…}}` below `# create`. */
export type CallLines = Readonly<Record<string, readonly { readonly action: string }[]>>

export const formatCalls = (phases: CallLines): string =>
  Object.entries(phases)
    .map(([phase, calls]) =>
      [`# ${phase}`, ...calls.map(({ action, ...rest }) => `${action} ${JSON.stringify(rest)}`), ''].join(
        '\n',
      ),
    )
    .join('')

export const parseCalls = (text: string): CallLines => {
  const phases: Record<string, { action: string }[]> = {}
  let calls: { action: string }[] = []
  for (const line of text.split('\n')) {
    const [word = '', rest = ''] = [line.slice(0, line.indexOf(' ')), line.slice(line.indexOf(' ') + 1)]
    if (line === '') continue
    if (word === '#') {
      calls = []
      phases[rest] = calls
    } else calls.push({ action: word, ...(JSON.parse(rest) as object) })
  }
  return phases
}

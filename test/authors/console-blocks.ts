/** A command of a page, and the lines of its output as the page shows them. */
export interface ShownCommand {
  readonly command: string
  /** `…` stands for any text in a line, or for any lines. */
  readonly output: readonly string[]
}

/** Returns the commands in the `console` blocks of a page, in order. */
export const commandsIn = (page: string): readonly ShownCommand[] =>
  [...page.matchAll(/^```console\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map(text => {
        const [command = '', ...output] = text.trimEnd().split('\n')
        return { command, output }
      }),
  )

/** Returns a pattern of the shown lines. Spaces at the ends of lines do not count. */
export const patternOf = (lines: readonly string[], { toEnd }: { readonly toEnd: boolean }): RegExp => {
  const parts = lines.map(line => {
    const text = line.trim()
    if (text === '…') return '(?:.*\\n)*?'
    return `${text.split('…').map(escaped).join('.*')}\\n`
  })
  return new RegExp(`^${parts.join('')}${toEnd ? '\\n*$' : ''}`)
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Returns the output in the form that `patternOf` expects. */
export const plainOutput = (output: string): string =>
  `${output
    .split('\n')
    .map(line => line.trim())
    .join('\n')
    .trim()}\n`

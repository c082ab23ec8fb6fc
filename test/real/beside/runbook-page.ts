import { readFile } from 'node:fs/promises'

/** A block of commands of the runbook. */
export interface RunbookBlock {
  /** `check`: it is repeated until it prints its output. */
  readonly role: 'do' | 'check' | 'abort'
  readonly commands: string
  /** The output that the page shows. `…` stands for any lines. Undefined: the page shows none. */
  readonly output: string | undefined
}

export interface RunbookStep {
  readonly section: string
  readonly number: number
  readonly title: string
  readonly blocks: readonly RunbookBlock[]
}

/** A row of the table of splits. */
export interface Split {
  readonly file: string
  readonly kinds: readonly string[]
}

const page = new URL('../../../docs/beside-go.md', import.meta.url)

/** Returns the numbered steps of docs/beside-go.md. */
export const runbookSteps = async (): Promise<readonly RunbookStep[]> => {
  const sections = (await readFile(page, 'utf8')).split(/^## /m).slice(1)
  return sections.flatMap(text => {
    const [section = ''] = text.split('\n')
    return text
      .split(/^### /m)
      .slice(1)
      .flatMap(step => {
        const [, number, title = ''] = /^(\d+)\. (.*)/.exec(step) ?? []
        return number === undefined
          ? []
          : [{ section, number: Number(number), title, blocks: blocksOf(step) }]
      })
  })
}

/** Returns the splits in the table of the page. */
export const splits = async (): Promise<readonly Split[]> =>
  [...(await readFile(page, 'utf8')).matchAll(/^\| `([\w-]+\.yaml)` \| `([a-z,]+)` \|/gm)].map(
    ([, file = '', kinds = '']) => ({ file, kinds: kinds.split(',') }),
  )

const blocksOf = (step: string): readonly RunbookBlock[] => {
  const blocks: RunbookBlock[] = []
  let role: RunbookBlock['role'] = 'do'
  for (const [, language, content = '', paragraph] of step.matchAll(/```(\w*)\n([\s\S]*?)```|^(\S.*)$/gm)) {
    if (paragraph !== undefined) role = roleOf(paragraph)
    else if (language === 'sh') blocks.push({ role, commands: content, output: undefined })
    else if (language === '') {
      const last = blocks.pop()
      if (last === undefined) throw new Error(`an output without commands: ${content}`)
      blocks.push({ ...last, output: content })
    }
  }
  return blocks
}

const roleOf = (paragraph: string): RunbookBlock['role'] => {
  if (paragraph.startsWith('Check')) return 'check'
  return paragraph.startsWith('Abort') ? 'abort' : 'do'
}

/** Returns true if an output is the one of the page. */
export const isOutput = (found: string, expected: string): boolean => {
  if (expected === '') return found.trim() === ''
  const lines = expected
    .trimEnd()
    .split('\n')
    .map(line =>
      line === '…' ? '(?:.*\n)*?' : `${line.trimEnd().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')} *\n`,
    )
  return new RegExp(`^${lines.join('')}$`).test(found === '' || found.endsWith('\n') ? found : `${found}\n`)
}

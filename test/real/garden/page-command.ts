import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { outputOf } from '../../../build/programs/programs.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export interface PageCommand {
  /** The section of docs/installing.md: `With gardenlet`. */
  readonly section: string
  readonly provider: string
  /** A text that selects the command. Default: the first one that ends in kubectl. */
  readonly that?: string
  /** Texts of the page, and what replaces them before anything else. */
  readonly replaced?: Readonly<Record<string, string>>
  /** More arguments of `trellis`. */
  readonly more?: readonly string[]
}

export interface AppliedPageCommand extends PageCommand {
  readonly kubeconfig: string
}

/** Runs `trellis` as a section of the page does, with another registry. Returns its output, which nothing applies. */
export const runTrellisOfPage = async (command: PageCommand): Promise<string> => {
  const { section, provider, that = '| kubectl', replaced = {}, more = [] } = command
  const texts = {
    ...replaced,
    'registry.example.com': 'registry.invalid',
    'provider aws': `provider ${provider}`,
  }
  const text = Object.entries(texts).reduce(
    (all, [from, to]) => all.replaceAll(from, to),
    await commandOf(section, that),
  )
  const [render = ''] = text.split('|')
  const words = wordsOf(render)
  if (words.splice(0, 3).join(' ') !== 'npx --no trellis')
    throw new Error(`docs/installing.md, ${section}: found no command with npx, but ${text}`)
  return outputOf(process.execPath, [`${root}cli/trellis.mjs`, ...words, ...more])
}

/** Runs a command of a section, and applies its output as the section does. Returns what kubectl printed. */
export const runPageCommand = async (command: AppliedPageCommand): Promise<string> => {
  const { section, kubeconfig } = command
  const [, apply = ''] = (await commandOf(section, '| kubectl')).split('|')
  const [, ...args] = wordsOf(apply.replace(/--context \S+/, `--kubeconfig=${kubeconfig}`))
  if (!args.includes('apply'))
    throw new Error(`docs/installing.md, ${section}: found no command with kubectl apply, but ${apply}`)
  return outputOf('kubectl', args, { input: await runTrellisOfPage(command) })
}

/** Registers a provider in a garden by the command of the page. */
export const registrationOf = (
  options: Pick<AppliedPageCommand, 'provider' | 'kubeconfig' | 'more'>,
): Promise<string> => runPageCommand({ section: 'With gardenlet', ...options })

/** Returns the first command of a section with a text, in one line. */
const commandOf = async (section: string, that: string): Promise<string> => {
  const page = await readFile(`${root}docs/installing.md`, 'utf8')
  const text = page.split(/^## /m).find(one => one.startsWith(`${section}\n`)) ?? ''
  const blocks = [...text.matchAll(/```sh\n(.*?)```/gs)].map(([, block = '']) => block)
  const commands = blocks
    .join('')
    .replaceAll(/\\\n|\n(?= *\|)/g, ' ')
    .split('\n')
  return commands.find(one => one.includes(that)) ?? ''
}

const wordsOf = (command: string): string[] => command.trim().split(/\s+/)

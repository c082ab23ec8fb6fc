import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { outputOf } from '../../../build/programs/programs.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

export interface PageCommand {
  /** The section of docs/installing.md: `With gardenlet`. */
  readonly section: string
  readonly provider: string
  /** More arguments of `trellis`. */
  readonly more?: readonly string[]
  readonly kubeconfig: string
}

/** Runs the first command of a section, with another registry, in another garden. Returns what kubectl printed. */
export const runPageCommand = async ({
  section,
  provider,
  more = [],
  kubeconfig,
}: PageCommand): Promise<string> => {
  const page = await readFile(`${root}docs/installing.md`, 'utf8')
  const text = page.split(/^## /m).find(one => one.startsWith(`${section}\n`)) ?? ''
  const [, block = ''] = /```sh\n(.*?)```/s.exec(text) ?? []
  const [render = '', apply = ''] = block.replaceAll('\\\n', ' ').split('|')
  const words = (command: string) => command.trim().split(/\s+/)
  const trellis = words(render.replace('registry.example.com', 'registry.invalid').replace('aws', provider))
  const [, ...args] = words(apply.replace(/--context \S+/, `--kubeconfig=${kubeconfig}`))
  if (trellis.splice(0, 3).join(' ') !== 'npx --no trellis' || !args.includes('apply'))
    throw new Error(`docs/installing.md, ${section}: found no command with npx and kubectl, but ${block}`)
  const input = await outputOf(process.execPath, [`${root}cli/trellis.mjs`, ...trellis, ...more])
  return outputOf('kubectl', args, { input })
}

/** Registers a provider in a garden by the command of the page. */
export const registrationOf = (
  options: Pick<PageCommand, 'provider' | 'kubeconfig' | 'more'>,
): Promise<string> => runPageCommand({ section: 'With gardenlet', ...options })

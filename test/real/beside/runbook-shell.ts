import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse, stringify } from 'yaml'
import { untilPasses } from '../until-passes.ts'
import { isOutput, type RunbookBlock, type RunbookStep } from './runbook-page.ts'

const program = fileURLToPath(new URL('../../../cli/trellis.mjs', import.meta.url))

/** A shell of an operator who follows the runbook. */
export interface RunbookShell {
  /** Runs commands, and returns their output. Rejects with their errors if one fails. */
  run(commands: string): Promise<string>
  /** Runs the commands of a step once, and its checks until they show what the page shows. */
  follow(step: RunbookStep): Promise<void>
  /** Runs the commands that abort a step. */
  abort(step: RunbookStep): Promise<void>
  close(): Promise<void>
}

export interface RunbookShellOptions {
  /** The kubeconfig file of the API server, which is garden and seed. */
  readonly kubeconfig: string
  /** The simulated AWS, for plans. */
  readonly endpoint: string
  /** In place of the kinds of the page. */
  readonly kinds?: readonly string[]
}

export const openRunbookShell = async (options: RunbookShellOptions): Promise<RunbookShell> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-runbook-'))
  const access = parse(await readFile(options.kubeconfig, 'utf8')) as {
    readonly contexts: readonly [{ readonly context: object }]
  }
  const [{ context }] = access.contexts
  const contexts = ['garden', 'seed'].map(name => ({ name, context }))
  const kubeconfig = join(folder, 'seed.kubeconfig')
  await writeFile(kubeconfig, stringify({ ...access, contexts, 'current-context': 'seed' }))
  const before = [
    // Steps of Trellis end within the test. Nothing of the page needs a pause here.
    'sleep() { :; }',
    `npx() { shift 2; if [ "$1" = plan ]; then set -- "$@" --endpoint ${options.endpoint}; fi; "$NODE" ${program} "$@"; }`,
  ]
  let exported: readonly string[] = []
  const run = (commands: string) => {
    const given = options.kinds && `export KINDS=${options.kinds.join(',')}`
    const own = commands.replace(/^export KINDS=.*$/gm, line => given ?? line)
    exported = [...exported, ...(own.match(/^export .*$/gm) ?? [])]
    const script = [...before, ...exported, own].join('\n')
    return new Promise<string>((resolve, reject) => {
      execFile(
        'bash',
        ['--norc', '-eu', '-c', script],
        {
          cwd: folder,
          env: { PATH: process.env.PATH, HOME: folder, KUBECONFIG: kubeconfig, NODE: process.execPath },
        },
        (error, output, errors) =>
          error === null
            ? resolve(output)
            : reject(new Error(`${own}\n${output}${errors}`, { cause: error })),
      )
    })
  }
  const play = async ({ role, commands, output }: RunbookBlock): Promise<void> => {
    // With other kinds, the output differs.
    if (role === 'check' && options.kinds === undefined)
      await untilPasses(async () => mustBe(await run(commands), output ?? ''))
    else if (role === 'do') {
      const found = await run(commands)
      if (output !== undefined) mustBe(found, output)
    }
  }
  return {
    run,
    follow: async ({ blocks }) => {
      for (const block of blocks) await play(block)
    },
    abort: async ({ blocks }) => {
      for (const { role, commands } of blocks) if (role === 'abort') await run(commands)
    },
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

const mustBe = (found: string, expected: string): void => {
  if (!isOutput(found, expected)) throw new Error(`the page shows:\n${expected}\nprinted:\n${found}`)
}

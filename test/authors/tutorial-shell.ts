import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { patternOf, plainOutput, type ShownCommand } from './console-blocks.ts'
import type { PackedLibrary } from './packed-library.ts'

/** A terminal that an author types the commands of a page into. */
export interface TutorialShell {
  /**
   * Runs a command, and resolves to its output if the page shows it, else rejects. `npm run dev` is stopped with Ctrl-C
   * as soon as it has printed what the page shows; a command with `&` runs until the shell closes.
   */
  run(shown: ShownCommand): Promise<string>
  close(): Promise<void>
}

/** `edit` changes the files of a project after their creation. */
export const tutorialShell = (
  packed: PackedLibrary,
  edit: (project: string) => Promise<void>,
): TutorialShell => {
  let here = packed.folder
  const background: ChildProcess[] = []
  // Uses the Node of this process, even if the machine has an older one.
  const env = () => ({
    ...process.env,
    PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
    NO_COLOR: '1',
  })

  const install = async (): Promise<void> => {
    const manifest = join(here, 'package.json')
    if (!existsSync(manifest))
      await writeFile(
        manifest,
        JSON.stringify({ dependencies: { '@trellis-gardener/trellis': `file:${packed.tarball}` } }),
      )
    if (!existsSync(join(here, 'node_modules'))) await packed.install(here)
    await edit(here)
  }
  const start = async (command: string, output: readonly string[]) => {
    const child = spawn('sh', ['-c', `exec ${command}`], { cwd: here, env: env(), detached: true })
    const pattern = patternOf(output, { toEnd: false })
    let said = ''
    const ready = Promise.withResolvers<void>()
    const take = (text: unknown) => {
      said += String(text)
      if (pattern.test(plainOutput(said))) ready.resolve()
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.on('exit', code => ready.reject(new Error(`${command} ended with ${code}:\n${said}`)))
    await ready.promise
    return { child, said }
  }

  return {
    run: async ({ command, output }) => {
      if (command.startsWith('npm install')) {
        await install()
        return ''
      }
      const inBackground = command.endsWith(' &')
      if (inBackground || command === 'npm run dev') {
        const { child, said } = await start(command.replace(/ &$/, ''), output)
        if (inBackground) background.push(child)
        else await interrupt(child)
        return said
      }
      const { stdout, stderr } = await promisify(execFile)('sh', ['-c', `${command} && pwd`], {
        cwd: here,
        env: env(),
      })
      const lines = `${stderr}${stdout}`.trimEnd().split('\n')
      here = lines.pop() ?? here
      const said = lines.join('\n')
      if (!patternOf(output, { toEnd: true }).test(plainOutput(said)))
        throw new Error(`${command} does not print what the page shows, but:\n${said}`)
      return said
    },
    close: async () => {
      await Promise.all(background.map(interrupt))
    },
  }
}

/** Sends the signal of Ctrl-C to a process and to those that it started. */
const interrupt = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const ended = once(child, 'exit')
  process.kill(-child.pid, 'SIGINT')
  await ended
}
